// The examples of the guide: what a comment after a line says is what the line returns.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

for (const page of ["docs/javascript.md", "js/README.md"]) {
  const text = readFileSync(join(process.env.ROBOTSC_REPOSITORY, page), "utf8");
  const blocks = [...text.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
  blocks.forEach((code, number) => {
    test(`${page}, example ${number + 1}`, async () => {
      const checked = code.replace(/^(?!const )(.+); \/\/ (?:throws (\w+)|(.+))$/gm, (_, call, error, value) =>
        error
          ? `assert.throws(() => ${call}, { name: "${error}" });`
          : `assert.equal(inspect(${call}).replace(/\\(\\d+\\)/, ""), ${JSON.stringify(value)}.replace("[1, 0]", "[ 1, 0 ]"));`,
      );
      const file = join(process.cwd(), `guide-${number}-${page.length}.mjs`);
      writeFileSync(file, `import assert from "node:assert";\nimport { inspect } from "node:util";\n${checked}`);
      try {
        await import(pathToFileURL(file));
      } finally {
        rmSync(file);
      }
    });
  });
}
