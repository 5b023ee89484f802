// Before anything is drawn: the theme that the reader chose, or else the system's.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("botpit-theme"); } catch { return null; } };
  const apply = () => {
    const chosen = stored();
    root.dataset.theme = chosen === "dark" || chosen === "light" ? chosen : system.matches ? "dark" : "light";
    root.dispatchEvent(new Event("themechange"));
  };
  apply();
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    const says = button.querySelector("[data-theme-says]");
    const name = () => { says.textContent = root.dataset.theme === "dark" ? "Switch to the light theme" : "Switch to the dark theme"; };
    name();
    root.addEventListener("themechange", name);
    button.hidden = false;
    button.addEventListener("click", () => {
      try { localStorage.setItem("botpit-theme", root.dataset.theme === "dark" ? "light" : "dark"); } catch { /* private mode keeps nothing */ }
      if (stored() === null) root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
      apply();
    });
  });
})();
