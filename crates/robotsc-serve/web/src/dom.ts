// Elements. Text from files reaches the page only as text nodes, so no file can bring markup of its own.

/** What an element can hold. */
export type Child = Node | string | null | undefined | false;

/** Attributes and listeners: `onclick` adds a listener, `class` and others set attributes, `true` an empty one. */
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** Returns a new element. */
export function el<K extends keyof HTMLElementTagNameMap>(
    name: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(key.slice(2), value as EventListener);
        } else if (value === true) {
            element.setAttribute(key, "");
        } else if (value !== false && value !== null && value !== undefined) {
            element.setAttribute(key, String(value));
        }
    }
    element.append(...present(children));
    return element;
}

/** Replaces what an element holds. */
export function fill(element: Element, ...children: Child[]): void {
    element.replaceChildren(...present(children));
}

/** Returns a code element. */
export function code(text: string): HTMLElement {
    return el("code", {}, text);
}

/** Returns a text of the server with what is in backticks as code. */
export function quoted(text: string): (string | HTMLElement)[] {
    return text.split("`").map((part, index) => (index % 2 === 1 ? code(part) : part));
}

/** Returns an element of the page that must be there. */
export function byId<T extends HTMLElement>(id: string): T {
    const element = document.getElementById(id);
    if (element === null) {
        throw new Error(`no element ${id}`);
    }
    return element as T;
}

let lastId = 0;

/** Returns an id that no other element has. */
export function newId(prefix: string): string {
    lastId += 1;
    return `${prefix}-${lastId}`;
}

function present(children: Child[]): (Node | string)[] {
    return children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false);
}
