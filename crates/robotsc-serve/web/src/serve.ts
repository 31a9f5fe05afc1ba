// The page of `robotsc serve`.

import { start } from "./main.ts";
import { Server } from "./server.ts";

start(new Server());
