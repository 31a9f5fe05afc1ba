// Questions about several agents and URLs, of which some are wrong: those keep no other from its answer.

import { problem, wrongValue, type Asked } from "./problem.ts";

/** The agents and URLs that are refused one by one. */
const MAX_PROBLEMS = 20;

/**
 * Asks about all values that the server does not refuse. Each that it refuses becomes one of `problems`, and is left out
 * of the next question. Throws what else is wrong.
 */
export async function askPart<T>(given: Asked, problems: HTMLElement[], ask: (values: Asked) => Promise<T>): Promise<T> {
    let values = given;
    for (;;) {
        try {
            return await ask(values);
        } catch (error) {
            const wrong = wrongValue(error);
            if (wrong === null || values[wrong.field]?.[wrong.index] === undefined || problems.length >= MAX_PROBLEMS) {
                throw error;
            }
            problems.push(problem(error, values));
            values = { ...values, [wrong.field]: values[wrong.field]?.toSpliced(wrong.index, 1) };
        }
    }
}
