// The picture of an automaton. Its texts come from robots.txt, so it is read as XML, and only shapes that can do nothing
// but show are copied: no script, no style, no link, no address.

const SVG = "http://www.w3.org/2000/svg";

const ELEMENTS = new Set(["svg", "g", "defs", "marker", "path", "rect", "line", "ellipse", "circle", "text", "title"]);

const ATTRIBUTES = new Set([
    "id", "class", "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "d",
    "fill", "stroke", "stroke-width", "stroke-dasharray", "refX", "refY", "markerWidth", "markerHeight", "orient",
    "transform",
]);

/** References to the arrow heads of the same picture. */
const MARKERS = new Set(["marker-start", "marker-end"]);

/** Returns a picture that only shows. Throws an error if the text is no SVG. */
export function readSvg(text: string): SVGSVGElement {
    // The picture's own style is for those who save it. It is cut off first: the policy would report it.
    const parsed = new DOMParser().parseFromString(text.replaceAll(/<style>[^<]*<\/style>/g, ""), "image/svg+xml");
    const root = parsed.documentElement;
    if (root.namespaceURI !== SVG || root.localName !== "svg" || parsed.querySelector("parsererror") !== null) {
        throw new Error("this is no picture");
    }
    return copy(root) as SVGSVGElement;
}

function copy(source: Element): SVGElement {
    const made = document.createElementNS(SVG, source.localName) as SVGElement;
    for (const { name, value } of source.attributes) {
        if ((ATTRIBUTES.has(name) && !/url\(/i.test(value)) || (MARKERS.has(name) && /^url\(#[\w-]+\)$/.test(value))) {
            made.setAttribute(name, value);
        }
    }
    for (const child of source.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) {
            made.append(child.textContent ?? "");
        } else if (child instanceof Element && child.namespaceURI === SVG && ELEMENTS.has(child.localName)) {
            made.append(copy(child));
        }
    }
    return made;
}
