//! What a source file names.
//!
//! In: the text of a file. Out: its imports, the paths and words of its code, by the module they stand in. Code for tests
//! alone is left out.

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, Token, UseTree, Visibility};

/// `use` of one name, or of all (`name` is `*`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    /// The inline modules around it.
    pub(crate) within: Vec<String>,
    /// What it is called here.
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    /// Is the name handed on to other files?
    pub(crate) is_public: bool,
    pub(crate) line: usize,
}

/// A path in the code: `io::stdout`, `Ledger`, `println!`, `f64` for a floating-point literal, `cfg(unix)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) within: Vec<String>,
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

/// All that a file names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) imports: Vec<Import>,
    pub(crate) paths: Vec<Name>,
    /// Every identifier with its line.
    pub(crate) words: Vec<(String, usize)>,
    /// Modules that are declared here and stand in files of their own for tests alone.
    pub(crate) test_files: Vec<String>,
    within: Vec<String>,
}

/// What `text` names.
pub(crate) fn names_of(text: &str) -> syn::Result<Names> {
    let mut names = Names::default();
    names.visit_file(&syn::parse_file(text)?);
    Ok(names)
}

impl Names {
    fn add(&mut self, path: Vec<String>, line: usize) {
        let within = self.within.clone();
        self.paths.push(Name { within, path, line });
    }

    fn add_import(&mut self, tree: &UseTree, before: &[String], is_public: bool) {
        let with = |name: String| [before, &[name]].concat();
        let (path, name, ident) = match tree {
            UseTree::Path(path) => {
                self.words.push((plain(&path.ident), line_of(&path.ident)));
                return self.add_import(&path.tree, &with(plain(&path.ident)), is_public);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_import(tree, before, is_public);
                }
                return;
            }
            UseTree::Name(name) if name.ident == "self" && !before.is_empty() => {
                (before.to_vec(), before[before.len() - 1].clone(), &name.ident)
            }
            UseTree::Name(name) => (with(plain(&name.ident)), plain(&name.ident), &name.ident),
            UseTree::Rename(rename) if rename.ident == "self" && !before.is_empty() => {
                (before.to_vec(), plain(&rename.rename), &rename.ident)
            }
            UseTree::Rename(rename) => (with(plain(&rename.ident)), plain(&rename.rename), &rename.ident),
            UseTree::Glob(glob) => {
                let line = glob.star_token.spans[0].start().line;
                return self.push_import(before.to_vec(), "*".to_owned(), is_public, line);
            }
        };
        self.words.push((plain(ident), line_of(ident)));
        self.push_import(path, name, is_public, line_of(ident));
    }

    fn push_import(&mut self, path: Vec<String>, name: String, is_public: bool, line: usize) {
        self.imports.push(Import {
            within: self.within.clone(),
            name,
            path,
            is_public,
            line,
        });
    }

    /// The paths in the text of a macro, as far as they can be seen in it.
    fn scan(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut path: Vec<String> = Vec::new();
        let mut line = 0;
        let mut colons = 2;
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    if colons != 2 || path.is_empty() {
                        self.flush(&mut path, line);
                        line = line_of(&ident);
                    }
                    self.words.push((plain(&ident), line_of(&ident)));
                    path.push(plain(&ident));
                    colons = 0;
                    let is_macro =
                        matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '!');
                    if is_macro && let Some(last) = path.last_mut() {
                        last.push('!');
                    }
                }
                TokenTree::Group(group) => {
                    // `use a::{b, c}` in a macro: the group goes on with the path.
                    if colons == 2 && !path.is_empty() {
                        let before = std::mem::take(&mut path);
                        for name in group.stream().into_iter().filter_map(ident_of) {
                            self.add([&before[..], &[name]].concat(), line);
                        }
                    }
                    self.flush(&mut path, line);
                    self.scan(group.stream());
                    colons = 0;
                }
                TokenTree::Literal(literal) => {
                    self.flush(&mut path, line);
                    self.add_literal(&syn::Lit::new(literal));
                }
                TokenTree::Punct(_) => {
                    self.flush(&mut path, line);
                    colons = 0;
                }
            }
        }
        self.flush(&mut path, line);
    }

    fn flush(&mut self, path: &mut Vec<String>, line: usize) {
        if !path.is_empty() {
            self.add(std::mem::take(path), line);
        }
    }

    fn add_literal(&mut self, literal: &syn::Lit) {
        let line = literal.span().start().line;
        match literal {
            syn::Lit::Float(_) => self.add(vec!["f64".to_owned()], line),
            syn::Lit::Int(int) if int.suffix().starts_with('f') => self.add(vec!["f64".to_owned()], line),
            _ => {}
        }
    }

    /// `cfg(unix)` for each word of a condition of compilation.
    fn add_conditions(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.add(vec![format!("cfg({ident})")], line_of(&ident)),
                TokenTree::Group(group) => self.add_conditions(group.stream()),
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        if attributes_of(item).iter().any(is_for_tests) {
            if let Item::Mod(module) = item
                && module.content.is_none()
            {
                self.test_files.push(plain(&module.ident));
            }
            return;
        }
        match item {
            Item::Use(item) => {
                let is_public = !matches!(item.vis, Visibility::Inherited);
                self.add_import(&item.tree, &[], is_public);
            }
            Item::Mod(module) => {
                self.within.push(plain(&module.ident));
                visit::visit_item_mod(self, module);
                self.within.pop();
            }
            Item::Macro(item) => self.visit_macro(&item.mac),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !function.attrs.iter().any(is_for_tests) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    // `pub(in crate::cli)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path
            .segments
            .iter()
            .map(|segment| plain(&segment.ident))
            .collect();
        let line = path.segments.first().map_or(0, |segment| line_of(&segment.ident));
        self.add(segments, line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let mut path: Vec<String> = called
            .path
            .segments
            .iter()
            .map(|segment| plain(&segment.ident))
            .collect();
        let line = called
            .path
            .segments
            .first()
            .map_or(0, |segment| line_of(&segment.ident));
        if path == ["cfg"] {
            return self.add_conditions(called.tokens.clone());
        }
        if let Some(last) = path.last_mut() {
            last.push('!');
        }
        self.add(path, line);
        self.scan(called.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let path = attribute.path();
        let Meta::List(list) = &attribute.meta else { return };
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            self.add_conditions(list.tokens.clone());
        } else if !path.is_ident("doc") {
            self.scan(list.tokens.clone());
        }
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        self.words.push((plain(ident), line_of(ident)));
    }

    fn visit_lit(&mut self, literal: &'ast syn::Lit) {
        self.add_literal(literal);
    }
}

/// The name without `r#`.
fn plain(ident: &syn::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

fn line_of(ident: &syn::Ident) -> usize {
    ident.span().start().line
}

fn ident_of(token: TokenTree) -> Option<String> {
    match token {
        TokenTree::Ident(ident) => Some(plain(&ident)),
        _ => None,
    }
}

/// Is it `#[test]`, or compiled with `test` only?
fn is_for_tests(attribute: &Attribute) -> bool {
    if attribute.path().is_ident("test") {
        return true;
    }
    attribute.path().is_ident("cfg") && attribute.parse_args().is_ok_and(|meta: Meta| needs_test(&meta))
}

fn needs_test(meta: &Meta) -> bool {
    match meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|metas| metas.iter().any(needs_test)),
        _ => false,
    }
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
