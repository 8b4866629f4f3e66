//! The submission of a batch: a template, rows, and the ID that makes it safe to send them again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clipmill_core::ids::TemplateNo;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::batch_input::{BatchInput, policy, read_rows, read_template};
use crate::cli::BatchArgs;
use crate::remote::Service;
use crate::remote::upload::sha256;
use crate::report::wrong_rows;
use crate::template;

/// How many characters of the table's name, and of the content's hash, an ID contains.
const NAMED_BY: (usize, usize) = (60, 16);

pub struct Submission {
    pub sheet: BatchInput,
    pub id: String,
    /// Whether the id is derived from the content.
    pub id_is_made: bool,
    /// Number and version at the service.
    kept_as: Option<(String, u64)>,
    name: String,
}

impl Submission {
    /// Reads the local files and the template of the service; reports all wrong values at once.
    pub async fn read(args: &BatchArgs, service: &Service) -> anyhow::Result<Self> {
        let rows = read_rows(&args.rows)?;
        let file = template_file(&args.template);
        let (template, kept_as) = match &file {
            Some(file) => (read_template(file, &policy(), args.json)?.1, None),
            None => {
                let stored = template::find(service, &args.template).await?;
                (stored.template, Some((stored.number, stored.version)))
            }
        };
        let folder = |file: &Path| file.parent().map(Path::to_owned).unwrap_or_default();
        let template_folder = file.as_deref().map(folder).unwrap_or_default();
        let sheet = BatchInput { template, template_folder, rows, rows_folder: folder(&args.rows) };
        let errors = sheet.wrong_values();
        if !errors.is_empty() {
            return Err(wrong_rows(&args.rows, errors, args.json));
        }
        if kept_as.is_none() {
            sheet.can_be_sent(&args.template)?;
        }
        let stem = args.rows.file_stem().map(|name| name.to_string_lossy().into_owned());
        let stem = stem.filter(|name| name != "-").unwrap_or_else(|| "batch".to_owned());
        let name = args.name.clone().unwrap_or(stem);
        Ok(Self { sheet, id: String::new(), id_is_made: args.id.is_none(), kept_as, name })
    }

    /// The caller's ID, or one derived from the submission, including the content of the files but not their paths.
    pub async fn name_itself(&mut self, args: &BatchArgs) -> anyhow::Result<()> {
        if let Some(id) = &args.id {
            self.id.clone_from(id);
            return Ok(());
        }
        let mut contents = BTreeMap::new();
        for file in self.sheet.files() {
            contents.insert(file.clone(), sha256(&file).await?);
        }
        let mut sheet = self.sheet.clone();
        sheet.each_file(|file| contents.get(file).map(|content| format!("sha256:{content}")));
        let id_content = json!([self.made_from(&sheet), rows(&sheet), args.partial, args.callback]);
        let digest = hex::encode(Sha256::digest(id_content.to_string().as_bytes()));
        let stem: String = self.name.chars().take(NAMED_BY.0).collect();
        self.id = format!("{stem}-{}", digest.get(..NAMED_BY.1).unwrap_or(&digest));
        Ok(())
    }

    /// The body of the submission, once files are urls.
    pub fn body(&self, args: &BatchArgs) -> Value {
        let mut body = self.made_from(&self.sheet);
        body.insert("clientBatchId".to_owned(), json!(self.id));
        body.insert("name".to_owned(), json!(self.name));
        body.insert("rows".to_owned(), rows(&self.sheet));
        body.insert("partial".to_owned(), json!(args.partial));
        body.extend(args.max_points.map(|max| ("maxPoints".to_owned(), json!(max))));
        body.extend(args.callback.as_ref().map(|url| ("callbackUrl".to_owned(), json!(url))));
        Value::Object(body)
    }

    /// The row numbers in the table, in order: empty rows are counted there but not sent.
    pub fn numbers(&self) -> Vec<u32> {
        self.sheet.rows.iter().map(|(number, _)| *number).collect()
    }

    fn made_from(&self, sheet: &BatchInput) -> Map<String, Value> {
        let made_from = match &self.kept_as {
            Some((number, version)) => json!({ "template": number, "version": version }),
            None => json!({ "request": sheet.template.request, "variables": sheet.template.variables }),
        };
        made_from.as_object().cloned().unwrap_or_default()
    }
}

fn rows(sheet: &BatchInput) -> Value {
    sheet.rows.iter().map(|(_, values)| Value::Object(values.clone())).collect()
}

/// A file, unless it is the number or the name of a template.
fn template_file(text: &str) -> Option<PathBuf> {
    let path = PathBuf::from(text);
    let is_file = text == "-" || path.extension().is_some_and(|ending| ending == "json") || path.is_file();
    (is_file && TemplateNo::parse(text).is_none()).then_some(path)
}
