// Dark and light: as the system says, until the switch is used. The choice is all that this page stores.

const KEY = "robotsc-theme";
type Theme = "light" | "dark";

/** Makes a switch work. */
export function themeSwitch(button: HTMLButtonElement): void {
    const system = matchMedia("(prefers-color-scheme: dark)");
    let chosen = stored();
    const show = () => {
        const theme: Theme = chosen ?? (system.matches ? "dark" : "light");
        document.documentElement.dataset["theme"] = theme;
        button.textContent = theme === "dark" ? "Light" : "Dark";
        button.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
    };
    button.addEventListener("click", () => {
        chosen = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
        try {
            localStorage.setItem(KEY, chosen);
        } catch {
            // Some browsers store nothing: the choice then ends with the page.
        }
        show();
    });
    system.addEventListener("change", show);
    show();
}

function stored(): Theme | null {
    try {
        const theme = localStorage.getItem(KEY);
        return theme === "dark" || theme === "light" ? theme : null;
    } catch {
        return null;
    }
}
