//! The server as others meet it, over real connections: who is refused, and what an attack costs.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use outflank_serve::{Options, Server};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

struct Served {
    address: SocketAddr,
    folder: PathBuf,
}

/// One server for all tests: its folder is the working directory of the process.
fn served() -> &'static Served {
    static SERVED: OnceLock<Served> = OnceLock::new();
    SERVED.get_or_init(|| {
        let scratch = tempfile::tempdir().unwrap().keep();
        let folder = scratch.join("lab");
        fs::create_dir_all(folder.join("reports/page-figures")).unwrap();
        fs::write(scratch.join("secret.txt"), "SECRET").unwrap();
        fs::write(folder.join("reports/page.html"), "<script>x</script>").unwrap();
        fs::write(folder.join("reports/page-figures/1.svg"), "<svg/>").unwrap();
        fs::write(folder.join("<script>.txt"), "1 ".repeat(64)).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(scratch.join("secret.txt"), folder.join("leak.txt")).unwrap();
        let token = Some(TOKEN.to_string());
        let options = Options { folder: folder.clone(), token, ..Options::default() };
        let server = Server::bind(options).unwrap();
        let url = server.url();
        let address = url.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let address = address.parse().unwrap();
        std::thread::spawn(move || server.run(|| false));
        Served { address, folder }
    })
}

/// Sends bytes and reads the answer to its end.
fn send(bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(served().address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status of an answer; 0 if there is none.
fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn get(path: &str, headers: &str) -> String {
    let host = served().address;
    send(
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n")
            .as_bytes(),
    )
}

fn post_as(path: &str, headers: &str, body: &str) -> String {
    let (host, length) = (served().address, body.len());
    let head = format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}");
    send(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes())
}

fn post(path: &str, body: &str) -> String {
    let headers = format!("Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n");
    post_as(path, &headers, body)
}

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let answer = get("/", "");
    assert_eq!(status(&answer), 200);
    let policy = answer.lines().find(|line| line.starts_with("content-security-policy")).unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(answer.contains("nosniff") && !answer.contains("access-control"), "{answer}");
    // Nothing in the page needs what the policy forbids.
    let page = answer.split("\r\n\r\n").nth(1).unwrap();
    assert!(page.contains("app.js") && !page.contains("style=") && !page.contains("onclick"));
    assert!(
        get("/style.css", "Accept-Encoding: gzip, deflate\r\n")
            .contains("content-encoding: deflate")
    );
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    assert_eq!(status(&get("/", &format!("If-None-Match: {tag}\r\n"))), 304);
}

#[test]
fn other_hosts_and_pages_are_refused() {
    let host = served().address;
    let hosts = [
        "Host: evil.example\r\n",
        "Host: evil.example:80\r\n",
        "",
        "Host:\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
        "Host: localhost.\r\n",
        "Host: 0.0.0.0\r\n",
        "Host: 127.0.0.1\r\nHost: evil.example\r\n",
        "Host: evil.example\r\nHost: 127.0.0.1\r\n",
        "Host: user@127.0.0.1\r\n",
        "Host: 127.1\r\n",
        "Host: 2130706433\r\n",
    ];
    for name in hosts {
        for path in ["/", "/api/jobs", "/api/events", "/view/x/0/y.html"] {
            let request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{name}\r\n");
            let answer = send(request.as_bytes());
            assert!(matches!(status(&answer), 400 | 403), "{name:?}: {answer}");
        }
    }
    let proxy =
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert!(status(&send(proxy.as_bytes())) >= 400);
    let token = format!("Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n");
    let origins = [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        "file://",
        "",
        "http://localhost",
        "http://127.0.0.1.evil.example",
    ];
    for origin in origins {
        let answer = post_as("/api/players", &format!("{token}Origin: {origin}\r\n"), "{}");
        assert_eq!(status(&answer), 403, "{origin:?}: {answer}");
    }
    let fetched = post_as("/api/players", &format!("{token}Sec-Fetch-Site: cross-site\r\n"), "{}");
    assert_eq!(status(&fetched), 403);
    let own = post_as("/api/players", &format!("{token}Origin: http://{host}\r\n"), "{}");
    assert_eq!(status(&own), 200, "{own}");
    // A preflight gets no permission.
    let preflight = format!(
        "OPTIONS /api/players HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\
         Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n"
    );
    let answer = send(preflight.as_bytes());
    assert!(status(&answer) == 403 && !answer.contains("access-control"), "{answer}");
}

#[test]
fn nothing_is_answered_without_the_token() {
    let json = "Content-Type: application/json\r\n";
    let wrong = [
        String::new(),
        "Authorization: Bearer\r\n".into(),
        "Authorization: Bearer x\r\n".into(),
        format!("Authorization: Basic {TOKEN}\r\n"),
        format!("Authorization: Bearer {}\r\n", &TOKEN[1..]),
        format!("Authorization: Bearer {TOKEN}0\r\n"),
        format!("Authorization: Bearer {}\r\n", TOKEN.to_uppercase()),
        format!("Authorization: Bearer x\r\nAuthorization: Bearer {TOKEN}\r\n"),
        format!("Cookie: token={TOKEN}\r\n"),
    ];
    for headers in wrong {
        for path in ["/api/players", "/api/jobs", "/api/ticket"] {
            let answer = post_as(path, &format!("{json}{headers}"), "{}");
            assert_eq!(status(&answer), 401, "{headers:?} {path}");
        }
        assert_eq!(status(&get("/api/events", &headers)), 401, "{headers:?}");
    }
    assert_eq!(status(&get(&format!("/api/jobs?token={TOKEN}"), "")), 401);
    assert_eq!(status(&post("/api/players", "{}")), 200);
}

#[test]
fn no_file_outside_is_read() {
    let paths = [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/....//secret.txt",
        "/..\\secret.txt",
        "/..%5csecret.txt",
        "/%252e%252e/secret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/leak.txt",
        "/.",
        "/..",
        "/%00",
        "/index.html%00.txt",
        "/view/../../secret.txt",
        "/view/x/0/leak.txt",
        "/view/%2e%2e/0/secret.txt",
        "/dist/app.js",
    ];
    for path in paths {
        let answer = get(path, "");
        assert!(status(&answer) >= 400 && !answer.contains("SECRET"), "{path}: {answer}");
    }
    let ticket = |path: &str| post("/api/ticket", &format!("{{\"path\":{path:?}}}"));
    for path in ["leak.txt", "../secret.txt", "/etc/passwd", "reports/../../secret.txt", "", "."] {
        let answer = ticket(path);
        assert!(!answer.contains("SECRET"), "{path}");
        if status(&answer) == 200 {
            panic!("{path}: {answer}");
        }
    }
    let answer = ticket("reports/page.html");
    let url = answer.split("\"url\":\"").nth(1).unwrap().split('"').next().unwrap();
    let page = get(url, "");
    assert!(status(&page) == 200 && page.contains("sandbox"), "{page}");
    assert_eq!(status(&get(&url.replace("page.html", "page-figures/1.svg"), "")), 200);
    assert_eq!(status(&get(&url.replace("reports/page.html", "%3Cscript%3E.txt"), "")), 404);
    let requests = [
        ("show", r#"{"player":"leak.txt"}"#),
        ("show", r#"{"player":"../secret.txt"}"#),
        ("show", r#"{"player":"/etc/passwd"}"#),
        ("match", r#"{"a":"gtp:\"sh -c id\"","b":"random"}"#),
        ("runs", r#"{"folder":".."}"#),
        ("form", r#"{"method":"../secret.txt"}"#),
        ("form", r#"{"method":"rsel","set":["probes.vs=[\"/etc/passwd\"]"]}"#),
    ];
    for (command, request) in requests {
        let answer = post(&format!("/api/{command}"), request);
        assert!(status(&answer) == 403 && !answer.contains("SECRET"), "{request}: {answer}");
    }
    let job = r#"{"command":"learn","request":{"method":"rsel","out":"../outside"}}"#;
    assert_eq!(status(&post("/api/jobs", job)), 403);
    assert!(!served().folder.parent().unwrap().join("outside").exists());
}

#[test]
fn commands_that_are_not_for_the_page_are_refused() {
    for command in
        ["runs%20rm", "runs rm", "book%20build", "profile%20build", "learn", "bench", "x"]
    {
        let path = command.replace(' ', "%20");
        assert_eq!(status(&post(&format!("/api/{path}"), "{}")), 404, "{command}");
    }
    let job = r#"{"command":"runs rm","request":{"folders":["runs"]}}"#;
    assert_eq!(status(&post("/api/jobs", job)), 404);
    // Mistakes are said in words, with the status of a mistake.
    let answer = post("/api/show", r#"{"player":"nobody"}"#);
    assert!(status(&answer) == 422 && answer.contains("nobody"), "{answer}");
    let answer = post("/api/show", r#"{"plaier":"x"}"#);
    assert!(status(&answer) == 422 && answer.contains("plaier"), "{answer}");
    assert_eq!(status(&post("/api/show", "{")), 400);
    let plain = format!("Authorization: Bearer {TOKEN}\r\nContent-Type: text/plain\r\n");
    assert_eq!(status(&post_as("/api/players", &plain, "{}")), 415);
    let named = post("/api/show", r#"{"player":"<script>.txt"}"#);
    assert!(status(&named) == 200 && named.contains("application/json"), "{named}");
}

#[test]
fn what_is_too_long_is_refused() {
    let body = format!("{{\"player\":\"{}\"}}", "a".repeat(300 << 10));
    assert_eq!(status(&post("/api/show", &body)), 413);
    let deep = "[".repeat(100_000);
    assert_eq!(status(&post("/api/show", &deep)), 400);
    let long = "a".repeat(20_000);
    assert!(matches!(status(&get(&format!("/{long}"), "")), 0 | 400 | 404 | 414 | 431));
    assert!(matches!(status(&get("/", &format!("X: {long}\r\n"))), 0 | 400 | 431));
    let many: String = (0..200).map(|number| format!("X{number}: y\r\n")).collect();
    assert!(matches!(status(&get("/", &many)), 0 | 400 | 431));
    for nonsense in
        ["\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01"]
    {
        assert!(matches!(status(&send(nonsense.as_bytes())), 0 | 400..=599), "{nonsense:?}");
    }
    assert_eq!(status(&get("/", "")), 200);
}

/// A thousand connections that say little and slowly do not keep others out, and end.
#[test]
fn slow_connections_do_not_keep_others_out() {
    let address = served().address;
    let slow: Vec<TcpStream> = (0..1000)
        .filter_map(|number| {
            let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5)).ok()?;
            let head: &[u8] = if number % 2 == 0 { b"GET / HTTP/1.1\r\nHost: " } else { b"" };
            stream.write_all(head).ok()?;
            Some(stream)
        })
        .collect();
    assert!(slow.len() > 500, "{}", slow.len());
    for _ in 0..20 {
        assert_eq!(status(&get("/", "")), 200);
        assert_eq!(status(&post("/api/players", "{}")), 200);
    }
    // Each of them is closed by the server, without a further word from us.
    let until = Instant::now() + Duration::from_secs(60);
    for mut stream in slow {
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(10));
        stream.set_read_timeout(Some(left)).unwrap();
        let mut answer = Vec::new();
        let is_open = stream.read_to_end(&mut answer).is_err_and(|error| {
            matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
        });
        assert!(!is_open, "a connection was still open");
    }
}

#[test]
fn a_body_that_never_comes_is_not_waited_for() {
    let host = served().address;
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "POST /api/players HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert_eq!(status(&answer), 408, "{answer}");
}

/// Starts a study, follows it to its end, and compares its bytes with those of the command.
#[test]
fn a_study_of_the_page_has_the_bytes_of_the_command() {
    use outflank_commands::{Command, LearnRequest};
    let set = ["probes.every=5000", "probes.sample=50", "probes.games=50"].map(String::from);
    let learn = LearnRequest {
        method: "rsel".into(),
        set: set.to_vec(),
        seeds: vec![3],
        games: Some(20_000),
        out: Some("runs/page".into()),
        ..LearnRequest::default()
    };
    let request = serde_json::to_string(&learn).unwrap();
    let answer = post("/api/jobs", &format!("{{\"command\":\"learn\",\"request\":{request}}}"));
    assert_eq!(status(&answer), 200, "{answer}");
    let host = served().address;
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let head = format!(
        "GET /api/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut told = String::new();
    let mut bytes = [0; 4096];
    while !told.contains("\"state\":\"done\"") {
        let length = stream.read(&mut bytes).unwrap();
        assert!(length > 0, "the events ended: {told}");
        told.push_str(&String::from_utf8_lossy(&bytes[..length]));
    }
    let other = served().folder.join("runs/shell");
    let again = LearnRequest { out: Some(other.clone()), ..learn };
    again.run(&outflank_arena::Unwatched).unwrap();
    for file in ["spec.toml", "metrics.csv", "champions.bin", "champion.json"] {
        let [page, shell] = ["page", "shell"].map(|name| {
            fs::read(served().folder.join("runs").join(name).join("3").join(file)).unwrap()
        });
        assert!(page == shell, "{file}");
    }
}

#[test]
fn an_easy_token_is_refused() {
    for token in ["", "short", "has spaces in it, and is long", "ääääääääääääääääää"]
    {
        let options = Options { token: Some(token.into()), ..Options::default() };
        assert!(Server::bind(options).is_err(), "{token:?}");
    }
}
