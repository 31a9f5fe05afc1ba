import { answers } from "./app.mjs";

console.log(JSON.stringify(await answers(process.argv[2])));
