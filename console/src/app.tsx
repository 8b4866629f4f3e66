// The frame around all pages (navigation, points, preferences), and the choice of the page for an address.

import { useEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "./i18n";
import { balance, refreshBalance } from "./lib/balance";
import { count } from "./lib/format";
import { askAdmin } from "./lib/admin";
import { apiKey, forgetAll, isAdmin, sessionEnded, signOut } from "./lib/session";
import { link, place } from "./router";
import { Button, Empty } from "./ui/basic";
import { Icon, Mark, type IconName } from "./ui/icon";
import { later } from "./ui/later";
import { Preferences } from "./ui/preferences";
import { Toasts } from "./ui/toast";
import { WaitingNotice } from "./ui/waiting-notice";
import { Gallery } from "./pages/gallery";
import { Points } from "./pages/points";
import { SignIn } from "./pages/sign-in";
import { Tasks } from "./pages/tasks";

const NewTask = later(() => import("./pages/new").then((page) => page.NewTask));
const Library = later(() => import("./pages/library").then((module) => module.Library));
const Task = later(() => import("./pages/task").then((module) => module.Task));
const Outputs = later(() => import("./pages/outputs").then((module) => module.Outputs));
const Batches = later(() => import("./pages/batches").then((page) => page.Batches));
const Operate = later(() => import("./pages/operate").then((page) => page.Operate));

interface NavEntry {
  /** Where there is little room it stands elsewhere. */
  wide?: boolean;
  at: string;
  icon: IconName;
  word: Word;
  short: Word;
}

const NAV: readonly NavEntry[] = [
  { at: "tasks", icon: "tasks", word: "nav.tasks", short: "nav.tasks" },
  { at: "new", icon: "plus", word: "nav.new", short: "nav.new" },
  { at: "outputs", icon: "reels", word: "nav.outputs", short: "nav.outputs" },
  { at: "batches", icon: "table", word: "nav.batches", short: "nav.batches.short" },
  { at: "library", icon: "library", word: "nav.library", short: "nav.library" },
  { at: "points", icon: "coin", word: "nav.points", short: "nav.points", wide: true },
  { at: "effects", icon: "sparkle", word: "nav.effects", short: "nav.effects.short" },
];
const OPERATE: NavEntry = { at: "operate", icon: "gauge", word: "nav.operate", short: "nav.operate" };

export function App() {
  const key = apiKey.value;
  return <>{key === null ? <SignedOut /> : <Frame key={key} />}<Toasts /></>;
}

function SignedOut() {
  useEffect(() => {
    if (!sessionEnded.value) forgetAll();
    balance.value = null;
    document.title = `${t("signin.title")} · clipmill`;
  }, []);
  return <SignIn />;
}

function Frame() {
  const first = place.value.parts[0] ?? "tasks";
  const here = first === "templates" ? "batches" : first;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    void refreshBalance();
    void askAdmin();
  }, []);
  useEffect(() => {
    const known = [...NAV, OPERATE].find((entry) => entry.at === here);
    document.title = `${known ? t(known.word) : t("app.console")} · clipmill`;
  }, [here, t("nav.tasks")]);
  const entries = isAdmin.value ? [...NAV, OPERATE] : NAV;
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>{t("nav.skip")}</a>
      <header class="side">
        <a class="brand" {...link("/tasks")}><Mark /><span>clipmill</span></a>
        <nav aria-label={t("nav.main")}>
          {entries.map((entry) => (
            <a key={entry.at} class={entry.wide ? "wide-only" : undefined} {...link(`/${entry.at}`)} aria-current={here === entry.at ? "page" : undefined}>
              <Icon name={entry.icon} size={20} /><span class="nav-long">{t(entry.word)}</span><span class="nav-short" aria-hidden="true">{t(entry.short)}</span>
            </a>
          ))}
        </nav>
        <div class="side-foot">
          <a class="side-balance" {...link("/points")}>
            <Icon name="coin" /><span>{balance.value ? t("points.n", { n: balance.value.balance }) : count(0).replace("0", "–")}</span>
          </a>
          <Settings />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}><WaitingNotice /><Page /></main>
    </div>
  );
}

function Settings() {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const inside = event instanceof MouseEvent && ref.current?.contains(event.target as Node);
      if (!inside && (!(event instanceof KeyboardEvent) || event.key === "Escape")) setOpen(false);
    };
    addEventListener("click", close);
    addEventListener("keydown", close);
    return () => { removeEventListener("click", close); removeEventListener("keydown", close); };
  }, [open]);
  return (
    <div class="settings" ref={ref}>
      <Button kind="quiet" icon="settings" label={t("prefs.title")} aria-expanded={open} onClick={() => setOpen(!open)} />
      {open && (
        <div class="popover">
          <Preferences />
          <a class="popover-link" href="/docs"><Icon name="book" />{t("nav.docs")}</a>
          <button type="button" class="popover-link" onClick={signOut}><Icon name="out" />{t("session.out")}</button>
        </div>
      )}
    </div>
  );
}

function Page() {
  const [first, second] = place.value.parts;
  if (first === undefined || (first === "tasks" && second === undefined)) return <Tasks />;
  if (first === "tasks" && second !== undefined) return <Task key={second} taskNo={second} />;
  if (first === "new") return <NewTask />;
  if (first === "outputs") return <Outputs />;
  if (first === "library") return <Library />;
  if (first === "batches" || first === "templates") return <Batches />;
  if (first === "points") return <Points />;
  if (first === "effects") return <Gallery />;
  if (first === "operate") return <Operate />;
  return <Empty icon="search" title={t("error.notfound")} action={<a class="button" {...link("/tasks")}>{t("error.home")}</a>}>{t("error.notfound.lead")}</Empty>;
}
