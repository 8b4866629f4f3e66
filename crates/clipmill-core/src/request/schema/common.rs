//! Rows of the fields that every request has.

use super::Field;
use super::Kind::{Array, Choice, Integer, Object, Text, WebUrl};

pub(super) const COMMON: &[Field] = &[
    Field::new("/taskType", Choice(&[]), "Which kind of task this is; the structure of `params` depends on it.").needed(),
    Field::new("/params", Object, "Parameters of the task.").needed()
        .details("See the task type"),
    Field::new("/callbackUrl", WebUrl, "Address that is called once when the task is in a final state.")
        .label("Callback address", "回调地址")
        .hint("Called once when the task has ended.", "任务结束时调用一次。")
        .details("`http(s)` URL; called once the task is in a final state; see [Callbacks](callbacks.md)"),
    Field::new("/clientTaskId", Text(128), "Your own id of the job. The same body with the same id answers with the first task and costs nothing.")
        .label("Your own id", "自定义编号")
        .hint("The same request with the same id is never charged twice.", "相同编号的相同请求不会重复计费。")
        .details("Your own id, unique per user; see [Submit](#submit-a-task)"),
    Field::new("/name", Text(120), "What you call the task; `list` finds it by it. It changes nothing about the videos, nor whether a request is the same as an earlier one.")
        .label("Name", "名称")
        .hint("To find the task again.", "便于以后查找该任务。"),
    Field::new("/labels", Array(0, 10), "Labels by which `list` finds the task; up to ten.")
        .details("Labels by which `list` finds the task; up to ten, of up to 60 characters"),
    Field::new("/labels/0", Text(60), "A label."),
    Field::new("/maxPoints", Integer(0, 9_007_199_254_740_991), "The most that the task may cost. A submission whose estimate is higher is refused (40201); a task whose confirmed price is higher is rejected.").otherwise("no limit").unit("points")
        .label("Price limit", "价格上限")
        .hint("The task is not rendered if it would cost more points.", "若所需点数超过此值，任务不会执行。")
        .details("The most points that the task may cost; see [Price limit](#price-limit)"),
    Field::new("/params/seed", Integer(0, 9_007_199_254_740_991), "Seed of everything that is left to chance; drawn when absent.").otherwise("drawn")
        .label("Number that makes it again", "重制编号")
        .hint("The same number and files make the same videos. Empty: drawn.", "相同编号与素材生成相同成片。留空随机。")
        .details("What everything random is drawn from; see [Chance and seeds](#chance-and-seeds)"),
    Field::new("/params/options", Object, "Options; each has a default.")
        .details("See below, and [Options of both mixes](#options-of-both-mixes)"),
    Field::new("/params/options/preset", Choice(&["draft", "standard", "high"]), "How much work goes into the picture: `draft` is the fastest, `high` the best to look at. Absent, the installation's, usually `standard`.").otherwise("the installation's, usually `standard`")
        .details("How much work goes into the picture: [what each costs and gives](performance.md#presets)"),
];
