// The recorded answers of google/robotstxt are those for URLs as robots.cc splits them; the library reads URLs as clients
// do. An answer can differ if both see another path.

/** Returns why a client asks for another path than robots.cc compares; empty if there is no reason. */
export function cause(url) {
  if (/^[a-z]+:\/\/[^/?;#]*%/i.test(url)) return "an escape in the host";
  const path = url.replace(/^[a-z]+:\/\/[^/?;#]*/i, "").replace(/#.*$/s, "");
  const [beforeQuery] = path.split("?");
  if (!path.startsWith("/")) return "no slash at the start";
  if (beforeQuery.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) return "a dot segment";
  if (beforeQuery.includes("\\")) return "a backslash";
  if (/[\0- \x7f]/.test(path)) return "a blank or control";
  if (/["<>`{}']/.test(path)) return "a sign that URLs escape";
  if (/%(?:[a-z].|.[a-z])/s.test(path)) return "an escape in lower case";
  return /[^\0-\x7f]/.test(path) ? "a byte that is not ASCII" : "";
}
