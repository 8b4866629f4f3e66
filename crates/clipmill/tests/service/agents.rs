//! `clipmill mcp` as programs start it: messages line by line, with a running service.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::harness::{Service, clipmill, run, samples};

/// The program, with its input and its output.
struct Agent {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    sent: u64,
}

impl Agent {
    fn start(service: &mut Service, files: &str) -> Self {
        let key = service.use_key("");
        service.use_key(&key);
        let mut process =
            clipmill(&["mcp", "--url", &format!("http://{}", service.host()), "--files", files])
                .env("CLIPMILL_API_KEY", key)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
        let (input, output) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        let mut agent = Self { process, input, output, sent: 0 };
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" } });
        assert_eq!(agent.ask("initialize", hello)["result"]["serverInfo"]["name"], "clipmill");
        agent.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        agent
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.sent, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let response: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(response["id"], self.sent, "{response}");
        response
    }

    /// Whether a tool failed, and its text.
    fn tool(&mut self, name: &str, arguments: Value) -> (bool, String) {
        let response = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        let text = response["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{response}"));
        (response["result"]["isError"] == true, text.to_owned())
    }

    /// Closes its input; returns the exit status once the output has ended.
    fn end(mut self) -> i32 {
        drop(self.input.take());
        let mut rest = String::new();
        while self.output.read_line(&mut rest).unwrap() > 0 {}
        assert_eq!(rest, "", "only answers stand on standard output");
        self.process.wait().unwrap().code().unwrap_or(-1)
    }
}

#[tokio::test]
async fn an_agent_uploads_a_file_and_renders_a_video() {
    let mut service = Service::start(100).await;
    let mut agent = Agent::start(&mut service, samples().to_str().unwrap());
    let (failed, told) = agent.tool("upload_file", json!({ "path": samples().join("city.mp4") }));
    assert!(!failed, "{told}");
    let upload: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(upload["media"]["video"]["height"], 404, "{upload}");

    let request = json!({ "taskType": "baseVideoMix", "params": {
        "videoList": [{ "videos": [{ "url": upload["url"] }], "totalDuration": 1 }],
        "options": { "resolution": "720:720", "preset": "draft" } } });
    let (failed, told) = agent.tool("submit_task", json!({ "request": request, "maxPoints": 1 }));
    assert!(!failed, "{told}");
    let task: Value = serde_json::from_str(&told).unwrap();
    let mut state = Value::Null;
    while state["ended"] != true {
        let (failed, told) = agent.tool("wait_for_task", json!({ "taskNo": task["taskNo"] }));
        assert!(!failed, "{told}");
        state = serde_json::from_str(&told).unwrap();
    }
    assert_eq!((&state["state"], &state["pointsPaid"]), (&json!("completed"), &json!(1)), "{state}");
    assert!(state["items"][0]["url"].as_str().unwrap().contains("/files/"), "{state}");
    assert_eq!(agent.end(), 0);
}

#[tokio::test]
async fn only_files_of_the_folder_are_sent() {
    let mut service = Service::start(0).await;
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("link.srt")).unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let mut agent = Agent::start(&mut service, folder.path().to_str().unwrap());
    for (path, why) in [
        (outside.path().join("secret"), "--files"),
        (folder.path().join("inner/../../secret"), "No such file"),
        (folder.path().join("link.srt"), "--files"),
        (folder.path().join("inner"), "is not a file"),
        (folder.path().join("nothing"), "No such file"),
    ] {
        let (failed, told) = agent.tool("upload_file", json!({ "path": path }));
        assert!(failed && told.contains(why), "{}: {told}", path.display());
    }
    // Relative paths start in the folder, and listed files can be sent.
    std::fs::write(folder.path().join("inner/a.srt"), "1\n00:00:00,000 --> 00:00:01,000\nHi\n").unwrap();
    std::fs::write(folder.path().join(".hidden"), "x").unwrap();
    let listed = |told: &str| serde_json::from_str::<Value>(told).unwrap()["files"].clone();
    let (_, told) = agent.tool("list_files", json!({}));
    assert_eq!(listed(&told), json!([{ "path": "inner", "sizeBytes": null }]));
    let (_, told) = agent.tool("list_files", json!({ "folder": "inner" }));
    assert_eq!(listed(&told), json!([{ "path": "inner/a.srt", "sizeBytes": 35 }]));
    let (failed, told) = agent.tool("upload_file", json!({ "path": "inner/a.srt" }));
    assert!(!failed, "{told}");
    let (failed, told) = agent.tool("list_files", json!({ "folder": outside.path() }));
    assert!(failed && told.contains("--files"), "{told}");
    service.kill();
    let (failed, told) = agent.tool("get_points", json!({}));
    assert!(failed && told.contains("cannot be reached"), "{told}");
    assert_eq!(agent.end(), 0);
}

#[test]
fn missing_settings_are_reported_before_the_start() {
    for (args, why) in [
        (&["mcp"][..], "API key"),
        (&["mcp", "--key", "k", "--url", "ftp://clips.example"], "ftp://clips.example"),
        (&["mcp", "--key", "k", "--files", "/nowhere"], "/nowhere"),
    ] {
        let (status, stdout, stderr) = run(args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.contains(why), "{stderr}");
    }
}
