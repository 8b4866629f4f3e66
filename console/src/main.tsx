import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/pages.css";
import "./styles/compose.css";
import "./styles/review.css";
import "./styles/home.css";
import { render } from "preact";
import { App } from "./app";
import { loadMedia } from "./lib/media";

loadMedia();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
