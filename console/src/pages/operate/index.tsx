export { Operate } from "./operate";
