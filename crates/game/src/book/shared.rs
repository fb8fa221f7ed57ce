//! Books by name: the one that comes with the program, or a file. Players that use the same book
//! share it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use super::{Book, BookError};

/// The name of the book that comes with the program. A file of that name is `./small`.
pub const SMALL: &str = "small";

/// Made by `scripts/small-book`.
const SHIPPED: &[u8] = include_bytes!("small.book");

static SHIPPED_BOOK: LazyLock<Arc<Book>> = LazyLock::new(|| {
    let book = Book::from_bytes(Cow::Borrowed(SHIPPED), SMALL).expect("a test reads it");
    Arc::new(book)
});

/// Books in use, by their hashes.
static LOADED: Mutex<BTreeMap<String, Weak<Book>>> = Mutex::new(BTreeMap::new());

/// The book of a name; of a file only the head is read.
pub fn open_book(name: &str) -> Result<Arc<Book>, BookError> {
    match name {
        SMALL => Ok(SHIPPED_BOOK.clone()),
        file => Book::open(Path::new(file)).map(Arc::new),
    }
}

/// The book of a name, in memory and checked.
pub fn book_of(name: &str) -> Result<Arc<Book>, BookError> {
    if name == SMALL {
        return Ok(SHIPPED_BOOK.clone());
    }
    let path = Path::new(name);
    // The head alone says which book it is.
    let hash = Book::open(path)?.hash();
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(book) = loaded.get(&hash).and_then(Weak::upgrade) {
        return Ok(book);
    }
    let book = Arc::new(Book::load(path)?);
    loaded.retain(|_, book| book.strong_count() > 0);
    loaded.insert(book.hash(), Arc::downgrade(&book));
    Ok(book)
}
