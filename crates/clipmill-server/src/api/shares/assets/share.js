// Feedback on the page of a share: viewers pick videos and comment. Texts of viewers are only ever set as text.
"use strict";
(() => {
  const main = document.querySelector("main[data-feedback]");
  if (main === null) return;
  const base = main.dataset.feedback;
  const language = document.documentElement.lang;
  const chinese = language === "zh";
  // The browser's own form of dates, unless its language differs.
  const locale = navigator.language.startsWith(language) ? navigator.language : language;
  const t = chinese
    ? {
        pick: "选这个", isPicked: "已选", comments: "留言", general: "整体留言", none: "还没有留言。",
        text: "留言内容", name: "您的名字（选填）", send: "发送", sent: "留言已发送。", anonymous: "匿名",
        picked: (n) => (n === 0 ? "点心形即可选片，分享者会看到" : `已选 ${n} 个`), on: (label) => `已选${label}`, off: (label) => `已取消选择${label}`,
        together: "打开此链接的所有人共同选片。", about: (label) => `对${label}的留言`, wait: (s) => `操作过于频繁，请 ${s} 秒后再试。`,
        full: "留言数量已达上限，无法再添加。", ended: "分享已结束，无法再选片或留言。",
        failed: "未能保存，请检查网络后重试。", unread: "无法加载选片和留言，请刷新页面。",
      }
    : {
        pick: "Pick", isPicked: "Picked", comments: "Comments", general: "Comments on all videos", none: "No comments yet.",
        text: "Comment", name: "Your name (optional)", send: "Send", sent: "Comment sent.", anonymous: "Anonymous",
        picked: (n) => (n === 0 ? "Pick videos with the heart; the sender sees your choice" : `${n} picked`), on: (label) => `${label} picked`, off: (label) => `${label} no longer picked`,
        together: "Everyone with this link sees and changes the same picks.", about: (label) => `Comment on ${label}`, wait: (s) => `Too many changes at once. Try again in ${s} s.`,
        full: "The limit for comments is reached; no more can be added.", ended: "This page is no longer shared; nothing can be changed.",
        failed: "Not saved. Check your connection and try again.", unread: "Picks and comments could not be loaded. Reload the page.",
      };
  const NAME = "clipmill.share.name";

  /** An element with properties and children; strings become text nodes. */
  const element = (tag, properties = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in made) made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  };
  const heart = () => {
    const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", "M12 20.3 4.2 12.6a4.9 4.9 0 0 1 0-7 5 5 0 0 1 7 0l.8.8.8-.8a5 5 0 0 1 7 0 4.9 4.9 0 0 1 0 7Z");
    svg.append(path);
    return svg;
  };

  const status = element("p", { role: "status" });
  const say = (text) => {
    status.textContent = text;
  };
  // A message stays until the viewer continues.
  for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) addEventListener(type, () => say(""), { passive: true });
  const count = element("output");

  const call = async (path, body) => {
    const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    let response;
    let answer;
    try {
      response = await fetch(`${base}/${path}`, { cache: "no-store", ...options });
      answer = await response.json();
    } catch {
      throw new Error(body === undefined ? t.unread : t.failed);
    }
    if (response.ok) return answer.data;
    if (response.status === 404) throw new Error(t.ended);
    if (response.status === 409) throw new Error(t.full);
    if (response.status === 429) throw new Error(t.wait(answer.data?.seconds ?? 5));
    throw new Error(answer.msg || t.failed);
  };

  /** Lists of comments by the name of their video; "" for those on all videos. */
  const lists = new Map();
  const videos = new Map();

  const showPicks = () => {
    const picked = [...videos.values()].filter(({ button }) => button.getAttribute("aria-pressed") === "true");
    count.textContent = t.picked(picked.length);
  };
  /** The accessible name of a button, which begins with its text. */
  const nameOf = (text, label) => `${text}${chinese ? "：" : ": "}${label}`;
  const setPick = ({ button, word, card, label }, picked) => {
    button.setAttribute("aria-pressed", String(picked));
    word.textContent = picked ? t.isPicked : t.pick;
    button.setAttribute("aria-label", nameOf(word.textContent, label));
    card.classList.toggle("picked", picked);
  };
  const toggle = async (item) => {
    const video = videos.get(item);
    // Two calls at once could arrive in the other order.
    if (video.busy) return;
    video.busy = true;
    const picked = video.button.getAttribute("aria-pressed") !== "true";
    setPick(video, picked);
    showPicks();
    say(picked ? t.on(video.label) : t.off(video.label));
    try {
      await call("picks", { item, picked });
    } catch (error) {
      setPick(video, !picked);
      showPicks();
      say(error.message);
    }
    video.busy = false;
  };

  const comment = ({ name, text, createTime }) => {
    const when = new Date(createTime);
    return element("li", {},
      element("p", { dir: "auto" }, text),
      element("small", {}, element("bdi", {}, name ?? t.anonymous), " · ",
        element("time", { dateTime: createTime }, when.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }))));
  };
  const place = (item) => lists.get(item ?? "") ?? lists.get("");
  const showCounts = () => {
    for (const { list, summary, empty } of lists.values()) {
      const n = list.childElementCount;
      if (summary) summary.textContent = n === 0 ? t.comments : `${t.comments} (${n})`;
      if (empty) empty.hidden = n > 0;
    }
  };

  const form = (item, label) => {
    const text = element("textarea", { maxLength: 500, required: true });
    const name = element("input", { maxLength: 60, autocomplete: "name", value: remembered() });
    const send = element("button", { className: "button", type: "submit" }, t.send);
    const made = element("form", { "aria-label": label }, element("label", {}, t.text, text), element("label", {}, t.name, name), send);
    made.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (send.disabled) return;
      if (text.value.trim() === "") return text.focus();
      send.disabled = true;
      try {
        const added = await call("comments", { text: text.value, ...(name.value.trim() && { name: name.value }), ...(item && { item }) });
        place(item).list.append(comment(added));
        showCounts();
        remember(name.value.trim());
        text.value = "";
        text.focus();
        say(t.sent);
      } catch (error) {
        say(error.message);
      }
      send.disabled = false;
    });
    return made;
  };
  // Storage can be blocked.
  function remembered() {
    try {
      return localStorage.getItem(NAME) ?? "";
    } catch {
      return "";
    }
  }
  function remember(name) {
    try {
      localStorage.setItem(NAME, name);
    } catch {
      // The name is only kept for convenience.
    }
    for (const input of main.querySelectorAll("form input")) if (input.value === "") input.value = name;
  }

  const show = (feedback) => {
    for (const { item, picked } of feedback.videos) if (videos.has(item)) setPick(videos.get(item), picked);
    for (const { list } of lists.values()) list.replaceChildren();
    for (const one of feedback.comments) place(one.item).list.append(comment(one));
    showPicks();
    showCounts();
  };

  for (const card of main.querySelectorAll(".videos > li")) {
    const { item, label } = card.dataset;
    const word = element("span", {}, t.pick);
    const button = element("button", { className: "button", type: "button", "aria-pressed": "false", "aria-label": nameOf(t.pick, label) }, heart(), word);
    button.addEventListener("click", () => toggle(item));
    card.querySelector(".bar > a").before(button);
    const summary = element("summary", {}, t.comments);
    const list = element("ul", { className: "comments" });
    card.append(element("details", {}, summary, element("div", {}, list, form(item, t.about(label)))));
    videos.set(item, { button, word, card, label });
    lists.set(item, { list, summary });
  }
  const list = element("ul", { className: "comments" });
  const empty = element("p", {}, t.none);
  main.querySelector(".all").append(count);
  main.querySelector(".all").after(element("p", {}, element("small", {}, t.together)));
  main.append(element("section", {}, element("h2", {}, t.general), empty, list, form("", t.general)), status);
  lists.set("", { list, empty });

  const load = async () => {
    try {
      show(await call("feedback"));
    } catch (error) {
      say(error.message);
    }
  };
  // Other viewers change the same picks and comments.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") load();
  });
  load();
})();
