// Browser globals that modules read when they are loaded.

const store = new Map<string, string>();
const storage = {
  getItem: (name: string) => store.get(name) ?? null,
  setItem: (name: string, value: string) => void store.set(name, value),
  removeItem: (name: string) => void store.delete(name),
  clear: () => store.clear(),
};
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
Object.assign(globalThis, {
  sessionStorage: storage,
  localStorage: storage,
  location: { pathname: "/console/", search: "", href: "http://127.0.0.1/console/", origin: "http://127.0.0.1" },
  document: { documentElement: { dataset: {}, lang: "" } },
  addEventListener: () => undefined,
});
