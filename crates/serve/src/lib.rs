//! `outflank serve`: a page on which runs are watched, players are looked into and played.
//!
//! The page calls the same functions as the command line, through one door: the name of a command
//! and its JSON request. Everything is embedded; no other machine is asked for anything. What must
//! not happen is in four files: `guard` (who may ask), `confine` (no path leaves the folder),
//! `listen` (connections and their time) and `door` (which commands, and for how long).

mod assets;
mod confine;
mod door;
mod guard;
mod jobs;
mod listen;
mod reply;
mod site;
mod view;
mod work;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;

use site::Site;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder with runs; all paths of requests are in it.
    pub folder: PathBuf,
    /// The address to listen at.
    pub listen: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The token; a new one if there is none.
    pub token: Option<String>,
    /// A folder from which the files of the page are read instead, for those who write pages.
    pub web: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        let listen = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Options { folder: ".".into(), listen, port: 0, token: None, web: None }
    }
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder cannot be used.
    #[error("cannot serve {}: {problem}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        problem: io::Error,
    },
    /// The address cannot be used.
    #[error("cannot listen at {address}: {problem}; --port chooses another port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        problem: io::Error,
    },
    /// The token is too easy to guess.
    #[error("the token has {0} letters, expected {MIN_TOKEN} or more of a-z, A-Z, 0-9, - and _")]
    Token(usize),
    /// Anything else of the system.
    #[error("cannot serve: {0}")]
    System(#[from] io::Error),
}

/// The shortest token.
pub const MIN_TOKEN: usize = 16;

/// A server that has its port.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    folder: confine::Folder,
    token: String,
    web: Option<PathBuf>,
}

impl Server {
    /// Takes the port. The folder becomes the working directory of this process, because that is
    /// what relative paths of requests mean.
    pub fn bind(options: Options) -> Result<Server, Error> {
        let wrong = |problem| Error::Folder { folder: options.folder.clone(), problem };
        let web = options.web.as_deref().map(Path::canonicalize).transpose()?;
        let folder = confine::Folder::new(&options.folder).map_err(wrong)?;
        std::env::set_current_dir(folder.root()).map_err(wrong)?;
        let address = SocketAddr::new(options.listen, options.port);
        let refused = |problem| Error::Listen { address, problem };
        let listener = std::net::TcpListener::bind(address).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let token = match options.token {
            Some(token) if !is_token(&token) => return Err(Error::Token(token.chars().count())),
            Some(token) => token,
            None => new_token()?,
        };
        let address = listener.local_addr()?;
        Ok(Server { listener, address, folder, token, web })
    }

    /// The address of the page, with the token behind `#`, which browsers send nowhere.
    pub fn url(&self) -> String {
        let mut address = self.address;
        // An address that means all of this machine's is none to open.
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        format!("http://{address}/#token={}", self.token)
    }

    /// The folder that is served.
    pub fn folder(&self) -> &Path {
        self.folder.root()
    }

    /// Serves until `stop` says so, which is asked several times a second; then stops all jobs
    /// where they can be resumed.
    pub fn run(self, stop: impl Fn() -> bool) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(32)
            .build()?;
        let jobs = Arc::new(jobs::Jobs::new());
        let served = runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let (ends, end) = watch::channel(false);
            let site = Arc::new(Site {
                guard: guard::Guard::new(&self.token),
                assets: assets::Assets::new(self.web),
                door: door::Door::new(self.folder.clone()),
                jobs: Arc::clone(&jobs),
                views: view::Views::new(self.folder, &self.token),
                followers: Site::followers(),
                end: end.clone(),
            });
            let accepting = tokio::spawn(listen::accept(listener, site, end));
            while !stop() && !accepting.is_finished() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            // Whoever follows is told; then nobody waits for connections.
            let _ = ends.send(true);
            Ok::<(), io::Error>(())
        });
        jobs.end();
        runtime.shutdown_timeout(Duration::from_secs(1));
        Ok(served?)
    }
}

fn is_token(token: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    token.len() >= MIN_TOKEN && token.chars().all(plain)
}

/// A token of 128 random bits.
fn new_token() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
