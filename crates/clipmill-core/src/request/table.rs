//! Tables of values: a spreadsheet saved as CSV.

use std::collections::HashSet;

use serde_json::Value;

use super::template::{Values, join};
use crate::message::{self, Message};
use crate::subtitle::decode::decode;

/// The maximum number of rows of one batch.
pub const MAX_ROWS: usize = 1_000;
const MAX_COLUMNS: usize = 250;
/// The characters that may separate cells.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The first bytes of spreadsheet files: ZIP archives (XLSX, ODS, Numbers) or OLE containers (XLS).
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"];

/// A row's number in its table, from 1, and its values by column name.
pub type Row = (u32, Values);

/// Reads a table whose first line has the column names. UTF-8, UTF-16 and GB18030 are accepted, with or without byte
/// order mark; cells are separated by commas, semicolons or tabs. Cells are text, whatever their content, without the
/// apostrophe of [`write_table`]. Rows without any text are skipped, but numbered.
pub fn parse_table(bytes: &[u8]) -> Result<Vec<Row>, Message> {
    if WORKBOOKS.iter().any(|signature| bytes.starts_with(signature)) {
        return Err(message::workbook());
    }
    let text = decode(bytes).map_err(|error| message::not_a_table(error.to_string()))?;
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator(text))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut records = reader.records();
    let wrong = |error: csv::Error| message::not_a_table(error.to_string());
    let header = records.next().ok_or_else(message::empty_table)?.map_err(wrong)?;
    let columns = columns(&header.iter().map(without_guard).collect())?;
    let mut rows = Vec::new();
    for (index, record) in records.enumerate() {
        let record = record.map_err(wrong)?;
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == MAX_ROWS {
            return Err(message::too_many_rows(MAX_ROWS));
        }
        let cells =
            columns.iter().zip(record.iter()).filter(|(name, cell)| !name.is_empty() && !cell.is_empty());
        let values = cells.map(|(name, cell)| (name.clone(), Value::String(without_guard(cell).to_owned())));
        rows.push((u32::try_from(index + 1).unwrap_or(u32::MAX), values.collect()));
    }
    if rows.is_empty() { Err(message::empty_table()) } else { Ok(rows) }
}

/// A table of text for people and spreadsheets, with a byte order mark, by which spreadsheets recognize the encoding. An
/// apostrophe keeps them from evaluating cells as formulas.
pub fn write_table<Line>(
    header: impl IntoIterator<Item: AsRef<str>>,
    lines: impl IntoIterator<Item = Line>,
) -> Result<Vec<u8>, csv::Error>
where
    Line: IntoIterator<Item: AsRef<str>>,
{
    let mut writer = csv::Writer::from_writer("\u{FEFF}".as_bytes().to_vec());
    writer.write_record(header.into_iter().map(|cell| harmless(cell.as_ref())))?;
    for line in lines {
        writer.write_record(line.into_iter().map(|cell| harmless(cell.as_ref())))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Characters with which spreadsheets begin a formula.
const FORMULAS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

fn harmless(cell: &str) -> String {
    // A number with a sign is the same number in a spreadsheet.
    if cell.starts_with(FORMULAS) && cell.parse::<f64>().is_err() {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

/// A cell as it was before [`write_table`] wrote it.
pub fn without_guard(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULAS)).unwrap_or(cell)
}

/// The columns of rows in the order of their table, as far as the rows show it, because they omit empty cells.
pub fn columns_of<'a>(rows: impl IntoIterator<Item = &'a Values>) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for row in rows {
        let place = |columns: &[String], name: &String| columns.iter().position(|column| column == name);
        let mut next = row.keys().find_map(|name| place(&columns, name)).unwrap_or(columns.len());
        for name in row.keys() {
            match place(&columns, name) {
                Some(known) => next = known + 1,
                None => {
                    columns.insert(next, name.clone());
                    next += 1;
                }
            }
        }
    }
    columns
}

/// The cells of a row, one for each column.
pub fn cells_of(row: &Values, columns: &[String]) -> Vec<String> {
    let text = |name: &String| match row.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(entries)) => join(entries),
        Some(other) => other.to_string(),
    };
    columns.iter().map(text).collect()
}

fn columns(header: &csv::StringRecord) -> Result<Vec<String>, Message> {
    let columns: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    let mut names = HashSet::new();
    match columns.iter().filter(|name| !name.is_empty()).find(|name| !names.insert(name.as_str())) {
        Some(again) => Err(message::column_again(super::shorten(again, 60))),
        None if names.is_empty() => Err(message::empty_table()),
        None if columns.len() > MAX_COLUMNS => Err(message::too_many_entries(columns.len(), MAX_COLUMNS)),
        None => Ok(columns),
    }
}

/// The most frequent separator in the first line, outside of quotes.
fn separator(text: &str) -> u8 {
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            _ if quoted => {}
            _ => {
                if let Some(count) =
                    SEPARATORS.iter().position(|s| *s == byte).and_then(|at| counts.get_mut(at))
                {
                    *count += 1;
                }
            }
        }
    }
    let best = SEPARATORS.iter().zip(counts).rev().max_by_key(|(_, count)| *count);
    best.map_or(b',', |(separator, _)| *separator)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Vec<Row> {
        parse_table(text.as_bytes()).unwrap()
    }

    #[test]
    fn tables_are_read_as_spreadsheets_write_them() {
        let expected: Vec<Row> = vec![
            (1, json!({ "product": "Mug, blue", "price": "=1+1" }).as_object().unwrap().clone()),
            (3, json!({ "product": "two\nlines" }).as_object().unwrap().clone()),
        ];
        assert_eq!(read("product,price\n\"Mug, blue\",=1+1\n,\n\"two\nlines\",\n"), expected);
        assert_eq!(read("\u{FEFF}product;price\r\n\"Mug, blue\";=1+1\r\n;\r\n\"two\nlines\"\r\n"), expected);
        assert_eq!(read("product\tprice\n\"Mug, blue\"\t=1+1\n \t\n\"two\nlines\"\t\t"), expected);
        let utf16: Vec<u8> =
            "\u{FEFF}product,price\nMug,蓝\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parse_table(&utf16).unwrap()[0].1["price"], "蓝");
        let (gb, _, _) = encoding_rs::GB18030.encode("产品,价格\n蓝色马克杯,三十九元九角\n");
        assert_eq!(parse_table(&gb).unwrap()[0].1["产品"], "蓝色马克杯");
    }

    #[test]
    fn formulas_stay_text() {
        let text = write_table(["url", "=error"], [["https://a", "=1+1,\"x\""]]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "\u{FEFF}url,'=error\nhttps://a,\"'=1+1,\"\"x\"\"\"\n");
        for cell in ["=1", "+1 free", "-1+1", "- a", "@a", "\t=1", "\r=1", "\n=1"] {
            assert_eq!(harmless(cell), format!("'{cell}"));
            assert_eq!(without_guard(&harmless(cell)), cell);
        }
        for cell in ["", "1", "-5", "+1.5", "a=1", "'a", "'"] {
            assert_eq!((harmless(cell).as_str(), without_guard(cell)), (cell, cell));
        }
    }

    #[test]
    fn tables_are_read_as_they_were_written() {
        let cells = ["-5", "=1+1", "@shop", "+49 170", "'quoted'", "- one"];
        let rows = parse_table(
            &write_table(["a", "=b"], [[cells[0], cells[1]], [cells[2], cells[3]], [cells[4], cells[5]]])
                .unwrap(),
        );
        let read = rows.unwrap().into_iter().flat_map(|(_, row)| [row["a"].clone(), row["=b"].clone()]);
        assert_eq!(read.collect::<Vec<_>>(), cells);
    }

    #[test]
    fn columns_keep_the_order_of_the_table() {
        for rows in ["1,,3,\n,2,3,\n,,3,4\n", "1,,3,4\n1,2,,\n", ",,3,4\n,2,3,\n1,2,,\n", "1,2,,\n,,3,4\n"] {
            let rows = read(&format!("a,b,c,d\n{rows}"));
            assert_eq!(columns_of(rows.iter().map(|(_, values)| values)), ["a", "b", "c", "d"]);
        }
        let whole = read("a,b,c\n1,2,3\n,5,\n");
        let columns = columns_of(whole.iter().map(|(_, values)| values));
        assert_eq!(columns, ["a", "b", "c"]);
        assert_eq!(cells_of(&whole[1].1, &columns), ["", "5", ""]);
        let mixed = json!({ "a": 1.5, "b": ["x|y", "z"], "c": true });
        assert_eq!(cells_of(mixed.as_object().unwrap(), &columns), ["1.5", r"x\|y|z", "true"]);
        assert_eq!(cells_of(json!({ "b": null }).as_object().unwrap(), &columns), ["", "", ""]);
    }

    #[test]
    fn other_files_than_tables_are_rejected() {
        for wrong in ["", "\n\n", "a,b\n", "a,a\n1,2\n", ",\n1,2\n"] {
            assert!(parse_table(wrong.as_bytes()).is_err(), "{wrong:?}");
        }
        for workbook in [&b"PK\x03\x04\x14\0[Content_Types].xml"[..], b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"]
        {
            assert_eq!(parse_table(workbook), Err(message::workbook()));
        }
        let rows = |count: usize| format!("a\n{}", "x\n".repeat(count));
        assert_eq!(read(&rows(MAX_ROWS)).len(), MAX_ROWS);
        assert!(parse_table(rows(MAX_ROWS + 1).as_bytes()).is_err());
    }
}
