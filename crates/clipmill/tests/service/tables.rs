//! Templates and tables from the command line: with and without a server.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Service, clipmill, run, samples};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }

    fn files(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path().join(name)).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    fn table(&self, name: &str) -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(self.0.path().join(name)).unwrap();
        let lines = text.trim_start_matches('\u{FEFF}').lines();
        lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }
}

/// Small and short.
fn small() -> Value {
    json!({
        "name": "Small",
        "request": {
            "taskType": "baseVideoMix", "name": "{{title}}",
            "params": {
                "videoList": [{ "videos": [{ "url": "{{clip}}" }, { "url": "picture.jpg", "duration": 0.5 }], "totalDuration": 1 }],
                "options": { "resolution": "720:720", "preset": "draft", "originalVolume": "{{volume}}" },
            },
        },
        "variables": [
            { "name": "title", "type": "text" },
            { "name": "clip", "type": "url" },
            { "name": "volume", "type": "number", "minimum": 0, "maximum": 100, "default": 50 },
        ],
    })
}

/// A folder with the template, its image, and a clip.
fn prepared() -> Folder {
    let folder = Folder::new();
    folder.write("small.json", &small().to_string());
    std::fs::copy(samples().join("picture.jpg"), folder.path("picture.jpg")).unwrap();
    std::fs::copy(samples().join("city.mp4"), folder.path("clip.mp4")).unwrap();
    folder
}

const WRONG: &str =
    "title;clip;volume\nfine;clip.mp4;1\n;;\nmissing;nothing.mp4;1\nlow;gone.mp4;-1\n;ftp://a.example/a;\n";
/// Its second row is empty.
const GOOD: &str = "title;clip;volume\nBlue mug;clip.mp4;\n;;\n=1+1/x;clip.mp4;10\n";

fn check_wrong_rows((status, stdout, stderr): (i32, String, String)) {
    assert_eq!(status, 2, "{stderr}");
    let response: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    let errors = response["data"]["errors"].as_array().unwrap().iter();
    let mut places: Vec<_> =
        errors.map(|error| (error["row"].as_u64().unwrap(), error["column"].as_str().unwrap())).collect();
    places.sort_unstable();
    assert_eq!(places, [(3, "clip"), (4, "clip"), (4, "volume"), (5, "clip"), (5, "title")], "{response:#}");
    for line in [
        "row 3, column clip: the file does not exist on this machine",
        "row 4, column volume: must be between 0 and 100",
    ] {
        assert!(stderr.contains(line), "{stderr}");
    }
}

#[test]
fn each_sample_of_a_template_is_planned() {
    let cache = Folder::new();
    for entry in std::fs::read_dir(samples().join("templates")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let template: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let without = template["variables"].as_array().unwrap().iter().filter(|v| v["default"].is_null());
        let given =
            without.flat_map(|v| ["--set".to_owned(), format!("{}=A name", v["name"].as_str().unwrap())]);
        let given: Vec<String> = given.collect();
        let mut args = vec!["plan", file.to_str().unwrap(), "--json", "--cache"];
        let cache = cache.path("cache");
        args.push(&cache);
        args.extend(given.iter().map(String::as_str));
        let (status, stdout, stderr) = run(&args);
        assert_eq!(status, 0, "{}: {stderr}", file.display());
        let plan: Value = serde_json::from_str(&stdout).unwrap();
        let items = plan["items"].as_array().unwrap();
        assert!(!items.is_empty() && items.iter().all(|item| item["outcome"]["Ok"].is_object()), "{plan:#}");
    }
}

#[test]
fn a_table_is_rendered_without_a_server() {
    let folder = prepared();
    let (small, out, cache) = (folder.path("small.json"), folder.path("out"), folder.path("cache"));
    let render = |table: &str, more: &[&str]| {
        let args = ["render", &small, "--rows", table, "-o", &out, "--cache", &cache];
        run(&[&args, more].concat())
    };
    check_wrong_rows(render(&folder.write("wrong.csv", WRONG), &["--json"]));
    assert_eq!(folder.files("out"), Vec::<String>::new(), "nothing is rendered while a row is wrong");

    let table = folder.write("good.csv", GOOD);
    let (status, stdout, stderr) = render(&table, &["--json"]);
    assert_eq!(status, 0, "{stderr}");
    let output: Value = serde_json::from_str(&stdout).unwrap();
    let rows: Vec<_> = output["items"].as_array().unwrap().iter().map(|item| item["row"].clone()).collect();
    assert_eq!(rows, [1, 3]);
    let names =
        ["0001-Blue-mug.jpg", "0001-Blue-mug.mp4", "0003-=1+1-x.jpg", "0003-=1+1-x.mp4", "results.csv"];
    assert_eq!(folder.files("out"), names);
    let lines = folder.table("out/results.csv");
    assert_eq!(lines[0], ["title", "clip", "volume", "row", "taskNo", "item", "file", "error"]);
    assert_eq!(lines[2], ["'=1+1/x", "clip.mp4", "10", "3", "", "1", "0003-=1+1-x.mp4", ""]);
    // The image's segments are shared: rendered once, by the first row.
    let (rendered, cached) = (output["segments"]["rendered"].as_u64(), output["segments"]["cached"].as_u64());
    assert!(rendered > Some(0) && cached > Some(0), "{output:#}");

    // Named by a column; rows as JSON; a failing row does not affect others.
    let rows = json!([{ "title": "one", "clip": "clip.mp4" }, { "title": "two", "clip": "small.json" }]);
    let (status, _, stderr) = render(&folder.write("rows.json", &rows.to_string()), &["--name-by", "title"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("row 2: item 1 failed"), "{stderr}");
    assert!(folder.files("out").contains(&"one.mp4".to_owned()));
    assert!(!folder.table("out/results.csv")[2][6].is_empty());
    let same = json!([{ "title": "a", "clip": "clip.mp4" }, { "title": "A", "clip": "clip.mp4" }]);
    let (status, _, stderr) = render(&folder.write("same.json", &same.to_string()), &["--name-by", "title"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("rows 1 and 2"), "{stderr}");
}

/// A slideshow of photos with an optional ending.
fn slides() -> Value {
    json!({
        "name": "Slides",
        "request": {
            "taskType": "baseVideoMix", "name": "{{title}}",
            "params": {
                "videoList": [{ "videos": [
                    { "url": "{{photos}}", "duration": 0.5 }, { "$if": "{{ending}}", "url": "{{ending}}", "to": 0.5 },
                ]}],
                "options": { "resolution": "720:720", "preset": "draft" },
            },
        },
        "variables": [
            { "name": "title", "type": "text", "default": "Title" },
            { "name": "photos", "type": "urls" },
            { "name": "ending", "type": "url", "default": "" },
        ],
    })
}

fn check_missing_entries((status, _, stderr): (i32, String, String)) {
    assert_eq!(status, 2, "{stderr}");
    for line in [
        "row 1, column photos: entry 2: the file does not exist on this machine",
        "row 2, column photos2: the file does not exist on this machine",
        "row 3, column photos: entry 2: must not be empty",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
}

#[tokio::test]
async fn lists_of_local_files_are_rendered_and_uploaded() {
    let folder = prepared();
    let (slides, out, cache) =
        (folder.write("slides.json", &slides().to_string()), folder.path("out"), folder.path("cache"));
    let missing =
        "photos;photos1;photos2\npicture.jpg|gone.jpg;;\n;picture.jpg;gone.jpg\npicture.jpg||picture.jpg;;\n";
    let missing = folder.write("missing.csv", missing);
    let render =
        |table: &str| run(&["render", &slides, "--rows", table, "-o", &out, "--cache", &cache, "--json"]);
    check_missing_entries(render(&missing));
    let table = "title;photos;ending\none;picture.jpg|picture.jpg;\ntwo;picture.jpg;clip.mp4\n";
    let table = folder.write("table.csv", table);
    let (status, stdout, stderr) = render(&table);
    assert_eq!(status, 0, "{stderr}");
    let items = json_of(&stdout)["items"].as_array().unwrap().clone();
    assert_eq!(items.len(), 2, "{stdout}");
    assert_eq!(folder.table("out/results.csv")[1][1], "picture.jpg|picture.jpg");
    let (status, stdout, stderr) =
        run(&["plan", &slides, "--set", "photos=picture.jpg", "--json", "--cache", &cache]);
    assert_eq!(status, 2, "{stdout} {stderr}");
    let photos = format!("photos={0}|{0}|{0}", folder.path("picture.jpg"));
    let (status, _, stderr) = run(&["plan", &slides, "--set", &photos, "--json", "--cache", &cache]);
    assert_eq!(status, 0, "{stderr}");

    let mut service = Service::start(100).await;
    check_missing_entries(with(&mut service, &["batch", &missing, "--template", &slides, "--dry-run"]));
    let rows = json!([
        { "title": "array", "photos": ["picture.jpg", "picture.jpg"] },
        { "title": "columns", "photos1": "picture.jpg", "photos2": "clip.mp4", "ending": "clip.mp4" },
    ]);
    let rows = folder.write("rows.json", &rows.to_string());
    let args = ["batch", &rows, "--template", &slides, "--no-wait", "--json"];
    let (status, stdout, stderr) = with(&mut service, &args);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(service.get("/uploads").await["total"], 2);
    let batch = json_of(&stdout)["batch"]["batchNo"].as_str().unwrap().to_owned();
    let values = service.get(&format!("/batches/{batch}/rows")).await["list"][0]["values"].clone();
    assert!(values["photos"][1].as_str().unwrap().starts_with("upload://"), "{values}");
    let (status, _, stderr) = with(&mut service, &args);
    assert!(status == 0 && stderr.contains("submitted before"), "{stderr}");
}

#[tokio::test]
async fn a_column_that_only_names_files_has_no_warning() {
    let mut service = Service::start(100).await;
    let folder = prepared();
    let (small, out, cache) = (folder.path("small.json"), folder.path("out"), folder.path("cache"));
    let table = folder.write("named.csv", "title;clip;sku;weight\nMug;clip.mp4;A 7;2\n");
    let warned = |warnings: &Value| -> Vec<String> {
        let paths = warnings.as_array().unwrap().iter().map(|warning| warning["path"].as_str().unwrap());
        paths.filter(|path| path.contains("/values/")).map(str::to_owned).collect()
    };
    let render = |more: &[&str]| {
        let args = ["render", &small, "--rows", &table, "-o", &out, "--cache", &cache, "--json"];
        let (status, stdout, stderr) = run(&[&args, more].concat());
        assert_eq!(status, 0, "{stderr}");
        warned(&json_of(&stdout)["warnings"])
    };
    let both = ["/rows/0/values/sku", "/rows/0/values/weight"];
    assert_eq!(render(&[]), both);
    assert_eq!(render(&["--name-by", "sku"]), both[1..]);
    assert!(folder.files("out").contains(&"A-7.mp4".to_owned()));

    let args = ["batch", &table, "--template", &small, "--dry-run", "--json"];
    for (more, expected) in [(&[][..], &both[..]), (&["--name-by", "sku"], &both[1..])] {
        let (status, stdout, stderr) = with(&mut service, &[&args, more].concat());
        assert_eq!(status, 0, "{stderr}");
        assert_eq!(warned(&json_of(&stdout)["warnings"]), expected);
        assert_eq!(stderr.contains("values/sku"), expected.len() == 2, "{stderr}");
    }
}

#[test]
fn a_template_is_rendered_with_values() {
    let folder = prepared();
    let (small, out, cache) = (folder.path("small.json"), folder.path("out"), folder.path("cache"));
    let clip = format!("clip={}", folder.path("clip.mp4"));
    let render = |more: &[&str]| run(&[&["render", &small, "-o", &out, "--cache", &cache], more].concat());
    let (status, _, stderr) = render(&["--set", "title=One", "--set", &clip]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(folder.files("out"), ["1.jpg", "1.mp4"]);
    for (more, why) in [
        (&["--set", "title=One"][..], "/values/clip"),
        (&["--set", "title=One", "--set", &clip, "--set", "tilte=x"], "title"),
        (&["--set", "title"], "NAME=VALUE"),
        (&["--set", "title=One", "--set", "clip=nothing.mp4"], "the file does not exist"),
        (&["--name-by", "title"], "--rows"),
    ] {
        let (status, _, stderr) = render(more);
        assert_eq!(status, 2, "{more:?}: {stderr}");
        assert!(stderr.contains(why), "{more:?}: {stderr}");
    }
}

/// Runs the program with the service's address and key.
fn with(service: &mut Service, args: &[&str]) -> (i32, String, String) {
    let output = command(service, args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn command(service: &mut Service, args: &[&str]) -> std::process::Command {
    let key = service.use_key("");
    service.use_key(&key);
    let mut command = clipmill(args);
    command.env("CLIPMILL_URL", format!("http://{}", service.host())).env("CLIPMILL_API_KEY", key);
    command
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[tokio::test]
async fn a_table_is_rendered_by_a_service_and_resending_costs_nothing() {
    let mut service = Service::start(100).await;
    let folder = prepared();
    let (small, out) = (folder.path("small.json"), folder.path("out"));
    let wrong = folder.write("wrong.csv", WRONG);
    check_wrong_rows(with(&mut service, &["batch", &wrong, "--template", &small, "-o", &out, "--json"]));
    assert_eq!(service.get("/uploads").await["total"], 0, "nothing is sent while a row is wrong");

    let table = folder.write("good.csv", GOOD);
    let args = ["batch", &table, "--template", &small, "-o", &out, "--json"];
    let (status, stdout, stderr) = with(&mut service, &[&args[..], &["--max-points", "1"]].concat());
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.contains("2 points") && stderr.contains("--max-points"), "{stderr}");
    let (status, stdout, stderr) = with(&mut service, &[&args[..], &["--dry-run"]].concat());
    assert_eq!((status, &json_of(&stdout)["estimatedDotCount"]), (0, &json!(2)), "{stderr}");
    assert_eq!(service.get("/batches").await["total"], 0);

    let (status, stdout, stderr) = with(&mut service, &args);
    assert_eq!(status, 0, "{stderr}");
    let output = json_of(&stdout);
    assert_eq!(
        (&output["batch"]["statusName"], &output["batch"]["consumedDotCount"]),
        (&json!("completed"), &json!(2))
    );
    assert_eq!(output["items"][1]["row"], 3, "rows have their numbers in the table");
    let names = ["0001-Blue mug – 1.mp4", "0003-=1+1-x – 1.mp4", "results.csv"];
    assert_eq!(folder.files("out"), names);
    let lines = folder.table("out/results.csv");
    assert_eq!(lines[2][..4], ["'=1+1/x", "clip.mp4", "10", "3"]);
    assert_eq!(lines[2][6], "0003-=1+1-x – 1.mp4");
    // Two rows use one clip, and the template an image.
    assert_eq!(service.get("/uploads").await["total"], 2);

    // Sent again, nothing is charged, uploaded or downloaded, except missing files.
    let video = Path::new(&out).join(names[0]);
    let before = std::fs::metadata(&video).unwrap().modified().unwrap();
    std::fs::remove_file(Path::new(&out).join(names[1])).unwrap();
    let (status, stdout, stderr) = with(&mut service, &args);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("submitted before"), "{stderr}");
    assert_eq!(json_of(&stdout)["batch"]["batchNo"], output["batch"]["batchNo"]);
    assert_eq!(std::fs::metadata(&video).unwrap().modified().unwrap(), before);
    assert_eq!(folder.files("out"), names);
    assert_eq!(service.get("/batches").await["total"], 1);
    assert_eq!(service.get("/video-process/balance").await["total"], 98);

    // An id that the client gives stands for one content.
    let named = [&args[..], &["--id", "june"]].concat();
    assert_eq!(with(&mut service, &named).0, 0);
    folder.write("good.csv", &GOOD.replace("Blue", "Green"));
    let (status, _, stderr) = with(&mut service, &named);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("another --id"), "{stderr}");
    service.assert_audit();
}

#[tokio::test]
async fn templates_are_kept_by_name() {
    let mut service = Service::start(100).await;
    let folder = prepared();
    let small = folder.path("small.json");
    let (status, stdout, stderr) = with(&mut service, &["template", "save", &small, "--json"]);
    assert_eq!(status, 0, "{stderr}");
    let number = json_of(&stdout)["templateNo"].as_str().unwrap().to_owned();
    // The file's name stands for the same template, whose next version it is.
    let again = json_of(&with(&mut service, &["template", "save", &small, "--json"]).1);
    assert_eq!((&again["templateNo"], &again["version"]), (&json!(number), &json!(2)));
    let (_, list, _) = with(&mut service, &["template", "list"]);
    assert!(list.contains(&number) && list.contains("version 2") && list.contains("Small"), "{list}");
    let shown = json_of(&with(&mut service, &["template", "show", "Small"]).1);
    let picture = shown["request"]["params"]["videoList"][0]["videos"][1]["url"].as_str().unwrap();
    assert!(picture.starts_with("upload://"), "files are sent: {picture}");
    assert_eq!(shown["variables"], small_with_defaults(&shown));
    assert_eq!(json_of(&with(&mut service, &["template", "show", &number, "--json"]).1)["version"], 2);

    let table = folder.write("one.csv", "title,clip\none,clip.mp4\n");
    let (status, stdout, stderr) =
        with(&mut service, &["batch", &table, "--template", "Small", "--no-wait", "--json"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(json_of(&stdout)["batch"]["template"], json!({ "templateNo": number, "version": 2 }));
    for (args, why) in [
        (vec!["batch", &table, "--template", "Smal", "--no-wait"], "Small"),
        (vec!["template", "delete", "Small", "other"], "other"),
        (vec!["template", "show", "TP00000000000000000000000000"], "40400"),
    ] {
        let (status, _, stderr) = with(&mut service, &args);
        assert_eq!(status, 2, "{stderr}");
        assert!(why == "40400" || stderr.contains(why), "{stderr}");
    }
    assert_eq!(with(&mut service, &["template", "delete", "Small"]).0, 0);
    assert_eq!(with(&mut service, &["template", "list"]).1, "No templates.\n");
}

/// Variables as the service tells them: as they were sent.
fn small_with_defaults(shown: &Value) -> Value {
    let sent = small()["variables"].clone();
    assert_eq!(shown["name"], "Small");
    let mut text = sent;
    for limit in ["minimum", "maximum"] {
        text[2][limit] = json!(text[2][limit].as_f64().unwrap());
    }
    text
}

/// Interrupting the wait prints how to continue.
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_wait_can_be_resumed() {
    let mut service = Service::start_with(100, &[("CLIPMILL_WORKER_SLOTS", "1")]).await;
    let folder = prepared();
    let (small, out) = (folder.path("small.json"), folder.path("out"));
    let lines: String = (0..12).map(|n| format!("row {n},clip.mp4\n")).collect();
    let table = folder.write("many.csv", &format!("title,clip\n{lines}"));
    let args = ["batch", &table, "--template", &small, "-o", &out];
    let mut waiting = command(&mut service, &args).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(waiting.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("submitted") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended before it submitted anything");
    }
    let number = line.split_whitespace().nth(1).unwrap().to_owned();
    // Its worker makes one piece after another: the twelve are not done by now.
    rustix::process::kill_process(rustix::process::Pid::from_child(&waiting), rustix::process::Signal::INT)
        .unwrap();
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(waiting.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains(&number) && rest.contains("Run the same command to continue waiting"), "{rest}");
    let (status, _, stderr) = with(&mut service, &args);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains(&number) && stderr.contains("12 of 12 videos"), "{stderr}");
    assert_eq!(service.get("/batches").await["total"], 1);
}

#[test]
fn missing_values_are_reported_before_anything_is_sent() {
    let folder = prepared();
    let table = folder.write("one.csv", "title,clip\none,clip.mp4\n");
    let small = folder.path("small.json");
    for (args, why) in [
        (vec!["batch", &table, "--template", &small, "-o", "out"], "API key"),
        (vec!["batch", &table, "--template", &small], "--out"),
        (vec!["batch", "nothing.csv", "--template", &small, "-o", "out", "--key", "k"], "nothing.csv"),
        (vec!["template", "list"], "API key"),
        (vec!["template", "save", "nothing.json", "--key", "k"], "nothing.json"),
    ] {
        let (status, stdout, stderr) = run(&args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
    // Nobody listens there: that is told at once.
    let (status, _, stderr) = run(&["template", "list", "--key", "k", "--url", "http://127.0.0.1:9"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.contains("cannot be reached"), "{stderr}");
}
