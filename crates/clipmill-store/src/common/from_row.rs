//! A macro for structs that are read from a row by the names of its columns.

/// Reads a row by the names of its columns, which are those of the fields.
macro_rules! from_row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$about:meta])* $field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$about])* $field_vis $field: $type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            $($type: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,)*
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: row.try_get(stringify!($field))?,)* })
            }
        }
    };
}
pub(crate) use from_row;
