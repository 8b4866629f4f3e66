//! `clipmill template`: templates of a running service.

use std::process::ExitCode;

use anyhow::Context;
use clipmill_core::ids::TemplateNo;
use clipmill_core::request::template::{Template, Variable};
use clipmill_server::mcp::{Body, Call};
use reqwest::Method;
use serde_json::{Value, json};

use crate::batch_input::{BatchInput, policy, read_template};
use crate::cli::{
    DeleteTemplatesArgs, ListTemplatesArgs, SaveTemplateArgs, ShowTemplateArgs, TemplateCommand,
};
use crate::remote::{Service, failed, upload};
use crate::report::{print_json, print_line, wrong};

const TEMPLATES: &str = "/open-api/v1/templates";
/// How many existing names the error about an unknown name lists.
const MAX_NAMES: usize = 10;

/// A template of the service.
pub struct StoredTemplate {
    pub number: String,
    pub version: u64,
    pub template: Template,
}

pub async fn run(command: TemplateCommand) -> anyhow::Result<ExitCode> {
    match command {
        TemplateCommand::List(args) => list(args).await?,
        TemplateCommand::Show(args) => show(args).await?,
        TemplateCommand::Save(args) => save(args).await?,
        TemplateCommand::Delete(args) => delete(args).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The template with this number or name, with its request.
pub async fn find(service: &Service, text: &str) -> anyhow::Result<StoredTemplate> {
    let number = number(service, text).await?;
    let data = get(service, &number, None).await?;
    let variables: Vec<Variable> = serde_json::from_value(data["variables"].clone()).context(
        "the service's template has variables that this program does not support; upgrade this program",
    )?;
    let template = Template { request: data["request"].clone(), variables };
    Ok(StoredTemplate { number, version: data["version"].as_u64().unwrap_or(1), template })
}

async fn list(args: ListTemplatesArgs) -> anyhow::Result<()> {
    let service = Service::new(&args.service)?;
    let templates = all(&service, args.part.as_deref()).await?;
    if args.json {
        print_json(&Value::Array(templates));
    } else if templates.is_empty() {
        print_line("No templates.");
    } else {
        templates.iter().for_each(|template| {
            let text = |name: &str| template[name].as_str().unwrap_or_default().to_owned();
            let (number, when) = (text("templateNo"), text("updateTime"));
            print_line(format_args!("{number}  version {:<3} {when}  {}", template["version"], text("name")));
        });
    }
    Ok(())
}

async fn show(args: ShowTemplateArgs) -> anyhow::Result<()> {
    let service = Service::new(&args.service)?;
    let number = number(&service, &args.template).await?;
    let mut data = get(&service, &number, args.version).await?;
    if !args.json {
        data = json!({ "name": data["name"], "request": data["request"], "variables": data["variables"] });
    }
    print_json(&data);
    Ok(())
}

async fn save(args: SaveTemplateArgs) -> anyhow::Result<()> {
    let (name, template) = read_template(&args.file, &policy(), args.json)?;
    let name = args.name.or(name).ok_or_else(|| wrong("the template has no name; set one with --name"))?;
    let service = Service::new(&args.service)?;
    let template_folder = args.file.parent().map(ToOwned::to_owned).unwrap_or_default();
    let mut sheet =
        BatchInput { template, template_folder, rows: Vec::new(), rows_folder: Default::default() };
    sheet.can_be_sent(&args.file.display().to_string())?;
    let existing = called(&service, &name).await?;
    upload::send(&service, &mut sheet, args.json).await?;
    let Template { request, variables } = sheet.template;
    let mut body = json!({ "name": name, "request": request, "variables": variables });
    let call = match existing.as_slice() {
        [] => Call::post(TEMPLATES, Body::json(&body)),
        [existing] => {
            // A version that another client has saved meanwhile is not overwritten.
            body["version"] = existing["version"].clone();
            Call::put(path(existing["templateNo"].as_str().unwrap_or_default()), Body::json(&body))
        }
        several => return Err(ambiguous(&name, several)),
    };
    let saved = service.ask(call).await.map_err(failed)?;
    for warning in saved["warnings"].as_array().into_iter().flatten() {
        let text = |name: &str| warning[name].as_str().unwrap_or_default();
        eprintln!("warning: {}: {}", text("path"), text("message"));
    }
    if args.json {
        print_json(&saved);
    } else {
        let number = saved["templateNo"].as_str().unwrap_or_default();
        print_line(format_args!("{number}  version {}  {name}", saved["version"]));
    }
    Ok(())
}

async fn delete(args: DeleteTemplatesArgs) -> anyhow::Result<()> {
    let service = Service::new(&args.service)?;
    // All are looked up first, so that a mistyped name deletes nothing.
    let mut numbers = Vec::new();
    for text in &args.templates {
        numbers.push(number(&service, text).await?);
    }
    for number in &numbers {
        let call = Call { method: Method::DELETE, path: path(number), body: Body::None };
        service.ask(call).await.map_err(failed)?;
        if !args.json {
            print_line(format_args!("Deleted {number}."));
        }
    }
    if args.json {
        print_json(&json!({ "deleted": numbers }));
    }
    Ok(())
}

fn path(number: &str) -> String {
    format!("{TEMPLATES}/{}", Call::step(number))
}

async fn get(service: &Service, number: &str, version: Option<u32>) -> anyhow::Result<Value> {
    service.ask(Call::get(path(number)).with("version", version)).await.map_err(failed)
}

async fn all(service: &Service, part: Option<&str>) -> anyhow::Result<Vec<Value>> {
    service.list(&Call::get(TEMPLATES).with("q", part)).await.map_err(failed)
}

/// The templates with exactly this name.
async fn called(service: &Service, name: &str) -> anyhow::Result<Vec<Value>> {
    let mut templates = all(service, Some(name)).await?;
    templates.retain(|template| template["name"] == name);
    Ok(templates)
}

async fn number(service: &Service, text: &str) -> anyhow::Result<String> {
    if TemplateNo::parse(text).is_some() {
        return Ok(text.to_owned());
    }
    match called(service, text).await?.as_slice() {
        [one] => Ok(one["templateNo"].as_str().unwrap_or_default().to_owned()),
        [] => {
            let others = all(service, None).await?;
            let names = others.iter().take(MAX_NAMES).filter_map(|template| template["name"].as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let there = if names.is_empty() {
                "there are no templates".to_owned()
            } else {
                format!("existing templates: {names}")
            };
            Err(wrong(format!("no template and no file is called `{text}`; {there}")))
        }
        several => Err(ambiguous(text, several)),
    }
}

fn ambiguous(name: &str, several: &[Value]) -> anyhow::Error {
    let numbers: Vec<&str> = several.iter().filter_map(|template| template["templateNo"].as_str()).collect();
    wrong(format!("several templates are called `{name}`: {}; use a number instead", numbers.join(", ")))
}
