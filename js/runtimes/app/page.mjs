// The app in a page, and in a Worker of the page.
import { answers } from "./app.mjs";

const worker = new Worker(new URL("./page-worker.mjs", import.meta.url), { type: "module" });
const inWorker = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
worker.postMessage(location.origin);
globalThis.answers = Promise.all([answers(location.origin), inWorker]);
