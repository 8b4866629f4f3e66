import "../../styles/operate.css";
import { register } from "../../i18n";
import { operators } from "../../i18n/operators";

register(operators);

export { Operate } from "./operate";
