// The frame of all pages (navigation, balance, preferences), and the routes.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "./i18n";
import { balance, refreshBalance, who } from "./lib/balance";
import { count } from "./lib/format";
import { unsavedDrafts } from "./lib/draft-storage";
import { invitationCode } from "./lib/invitation";
import { unsentTables } from "./lib/table-storage";
import { apiKey, discardUserData, isAdmin, sessionEnded, signOut } from "./lib/session";
import { link, place } from "./router";
import { Button, Dialog, Empty } from "./ui/basic";
import { Icon, Mark, type IconName } from "./ui/icon";
import { lazy } from "./ui/lazy";
import { Preferences } from "./ui/preferences";
import { Toasts } from "./ui/toast";
import { ServiceNotice } from "./ui/service-notice";
import { Gallery } from "./pages/gallery";
import { Home } from "./pages/home";
import { Invitation } from "./pages/invitation";
import { Points } from "./pages/points";
import { SignIn } from "./pages/sign-in";
import { Tasks } from "./pages/tasks";

const NewTask = lazy(() => import("./pages/new").then((page) => page.NewTask));
const Start = lazy(() => import("./pages/start").then((page) => page.Start));
const Library = lazy(() => import("./pages/library").then((module) => module.Library));
const Task = lazy(() => import("./pages/task").then((module) => module.Task));
const Outputs = lazy(() => import("./pages/outputs").then((module) => module.Outputs));
const Batches = lazy(() => import("./pages/batches").then((page) => page.Batches));
const Brand = lazy(() => import("./pages/brand").then((page) => page.BrandPage));
const Operate = lazy(() => import("./pages/operate").then((page) => page.Operate));

interface NavEntry {
  at: string;
  icon: IconName;
  word: Word;
}

/** On a phone, these are in the bar; its last button opens the others. */
const FIRST: readonly NavEntry[] = [
  { at: "new", icon: "plus", word: "nav.new" },
  { at: "tasks", icon: "tasks", word: "nav.tasks" },
  { at: "outputs", icon: "reels", word: "nav.outputs" },
  { at: "library", icon: "library", word: "nav.library" },
];
const REST: readonly NavEntry[] = [
  { at: "batches", icon: "table", word: "nav.batches" },
  { at: "brand", icon: "palette", word: "nav.brand" },
  { at: "points", icon: "coin", word: "nav.points" },
  { at: "effects", icon: "sparkle", word: "nav.effects" },
];
const OPERATE: NavEntry = { at: "operate", icon: "gauge", word: "nav.operate" };

export function App() {
  const key = apiKey.value;
  const code = invitationCode.value;
  return <>{code !== null ? <Invitation key={code} code={code} /> : key === null ? <SignedOut /> : <Frame key={key} />}<Toasts /></>;
}

function SignedOut() {
  useEffect(() => {
    if (!sessionEnded.value) discardUserData();
    balance.value = null;
    document.title = `${t("signin.title")} · clipmill`;
  }, []);
  return <SignIn />;
}

function Frame() {
  const first = place.value.parts[0] ?? "new";
  const here = first === "templates" ? "batches" : first;
  const main = useRef<HTMLElement>(null);
  // Tasks and batches can end while their pages are closed.
  useEffect(() => void refreshBalance(), [place.value.parts.join("/")]);
  useEffect(() => {
    const entry = [...FIRST, ...REST, OPERATE].find((entry) => entry.at === here);
    document.title = `${entry ? t(entry.word) : t("app.console")} · clipmill`;
  }, [here, t("nav.tasks")]);
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>{t("nav.skip")}</a>
      <header class="side">
        <a class="brand" {...link("/")}><Mark /><span>clipmill</span></a>
        <Navigation here={here} />
        <p class="side-who" title={t("who.signed", { name: who.value })}><Icon name="person" /><span class="unseen">{t("who.signed", { name: "" })}</span><span class="side-name">{who.value}</span></p>
        <div class="side-foot">
          <a class="side-balance" {...link("/points")}>
            <Icon name="coin" /><span>{balance.value ? t("points.n", { n: balance.value.balance }) : count(0).replace("0", "–")}</span>
          </a>
          <Settings />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}><ServiceNotice /><Page /></main>
    </div>
  );
}

function Navigation({ here }: { here: string }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const rest = isAdmin.value ? [...REST, OPERATE] : REST;
  const within = rest.some((entry) => entry.at === here);
  const close = () => {
    // The focused element is about to be hidden.
    if (open && box.current?.contains(document.activeElement)) button.current?.focus();
    setOpen(false);
  };
  useLayoutEffect(close, [place.value]);
  useClosing(box, open, close);
  return (
    <nav aria-label={t("nav.main")}>
      {FIRST.map((entry) => <NavLink key={entry.at} entry={entry} here={here} />)}
      <div class="nav-rest" ref={box}>
        <button ref={button} type="button" class={`nav-more ${within ? "within" : ""}`} aria-expanded={open} aria-controls="nav-sheet" onClick={() => setOpen(!open)}>
          <Icon name="more" size={20} /><span>{t("nav.more")}</span>
        </button>
        <div id="nav-sheet" class={`nav-sheet ${open ? "open" : ""}`}>{rest.map((entry) => <NavLink key={entry.at} entry={entry} here={here} />)}</div>
      </div>
    </nav>
  );
}

function NavLink({ entry, here }: { entry: NavEntry; here: string }) {
  return <a {...link(`/${entry.at}`)} aria-current={here === entry.at ? "page" : undefined}><Icon name={entry.icon} size={20} /><span>{t(entry.word)}</span></a>;
}

/** Closes a popover on Escape or on a click outside it. */
function useClosing(ref: { current: HTMLElement | null }, open: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  // A layout effect, because an effect after the next paint would miss an earlier touch.
  useLayoutEffect(() => {
    if (!open) return;
    const listen = (event: Event) => {
      const inside = event instanceof MouseEvent && ref.current?.contains(event.target as Node);
      if (!inside && (!(event instanceof KeyboardEvent) || event.key === "Escape")) latest.current();
    };
    addEventListener("click", listen);
    addEventListener("keydown", listen);
    return () => { removeEventListener("click", listen); removeEventListener("keydown", listen); };
  }, [open]);
}

function Settings() {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState(false);
  useClosing(ref, open, () => setOpen(false));
  const leave = async () => {
    if (unsavedDrafts().length > 0) await import("./pages/new/saving").then(({ flush }) => flush()).catch(() => undefined);
    if (unsavedDrafts().length + unsentTables().length > 0) setLeaving(true);
    else signOut();
  };
  return (
    <div class="settings" ref={ref}>
      <Button kind="quiet" icon="settings" label={t("prefs.title")} aria-expanded={open} onClick={() => setOpen(!open)} />
      {open && (
        <div class="popover">
          <Preferences />
          <a class="popover-link" href="/docs"><Icon name="book" />{t("nav.docs")}</a>
          <button type="button" class="popover-link" onClick={() => void leave()}><Icon name="out" />{t("session.out")}</button>
        </div>
      )}
      <Dialog title={t("session.out.sure")} open={leaving} close={() => setLeaving(false)}>
        <p>{t("session.out.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={() => setLeaving(false)}>{t("action.cancel")}</Button>
          <Button kind="danger" onClick={signOut}>{t("session.out.go")}</Button>
        </div>
      </Dialog>
    </div>
  );
}

function Page() {
  const [first, second] = place.value.parts;
  if (first === undefined || (first === "new" && second === undefined)) return <Home />;
  if (first === "new" && (second === "table" || second === "template")) return <Start key={second} goal={second} />;
  if (first === "tasks" && second === undefined) return <Tasks />;
  if (first === "tasks" && second !== undefined) return <Task key={second} taskNo={second} />;
  if (first === "new") return <NewTask />;
  if (first === "outputs") return <Outputs />;
  if (first === "library") return <Library />;
  if (first === "batches" || first === "templates") return <Batches />;
  if (first === "brand") return <Brand />;
  if (first === "points") return <Points />;
  if (first === "effects") return <Gallery />;
  if (first === "operate") return <Operate />;
  return <Empty icon="search" title={t("error.notfound")} action={<a class="button" {...link("/")}>{t("error.home")}</a>}>{t("error.notfound.lead")}</Empty>;
}
