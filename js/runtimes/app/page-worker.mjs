import { answers } from "./app.mjs";

onmessage = async ({ data }) => postMessage(await answers(data));
