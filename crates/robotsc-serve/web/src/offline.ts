// The page as files: everything is answered in the browser.

import { start } from "./main.ts";
import { OfflineAnswers } from "./offline-answers.ts";

start(new OfflineAnswers());
