//! The process of an engine: lines in, lines out, each with a deadline. It has a process group of
//! its own, so that Ctrl-C reaches us and not it, and so that whatever it started ends with it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A longer line is cut in pieces: no memory is lost to an engine that never ends its lines.
const LONGEST_LINE: u64 = 16 << 10;
/// Lines that wait to be read; an engine that writes more waits itself.
const WAITING_LINES: usize = 64;
/// How much of what it wrote to standard error is kept.
const LAST_WORDS: usize = 600;
/// How often a wait asks whether to give up.
const BREATH: Duration = Duration::from_millis(20);
/// How long an engine may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(300);

/// A running engine. It is ended when it is dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// Closed when its standard error is.
    errors_end: Receiver<()>,
    /// How it ended, once it was waited for. From then on its number may be that of another.
    ended: Option<ExitStatus>,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// It closed its output, or has ended.
    Closed,
    /// The time is over.
    Late,
    /// Whoever waits was asked to stop.
    Stopped,
}

impl Process {
    /// Starts a program with arguments, without a shell.
    pub(super) fn start(words: &[String]) -> io::Result<Process> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, lines) = sync_channel(WAITING_LINES);
        let (open, errors_end) = sync_channel(0);
        // From here on the child is ended if anything fails.
        let process =
            Process { child, stdin, lines, errors: Arc::clone(&errors), errors_end, ended: None };
        // The threads end when the pipes are closed, or with this program.
        if let (Some(stdout), Some(stderr)) = (stdout, stderr) {
            thread::Builder::new().spawn(move || read_lines(stdout, &sender))?;
            thread::Builder::new().spawn(move || {
                keep_last(stderr, &errors);
                drop(open);
            })?;
        }
        Ok(process)
    }

    /// Writes a line.
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(format!("{line}\n").as_bytes())?;
        stdin.flush()
    }

    /// Reads a line, without its end.
    pub(super) fn read(
        &mut self,
        until: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, NoLine> {
        let mut has_ended_before = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(BREATH)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(NoLine::Stopped),
                // Something that it started may keep its output open. Lines that it wrote before it
                // ended have arrived a breath later.
                Err(RecvTimeoutError::Timeout) if has_ended_before => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if left <= BREATH => return Err(NoLine::Late),
                Err(RecvTimeoutError::Timeout) => has_ended_before = has_ended(&mut self.child),
            }
        }
    }

    /// How it ended, if it has, in words: `exit status: 1`, and the end of what it wrote to
    /// standard error.
    pub(super) fn epitaph(&mut self) -> String {
        // An engine that closes its output is about to end.
        let status = self.wait(FAREWELL);
        let how = status.map_or("it closed its output".into(), |status| format!("{status}"));
        // What it wrote before it ended may still be on its way.
        let _ = self.errors_end.recv_timeout(FAREWELL);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        match last {
            Some(line) => format!("{how}; it wrote: {}", super::printable(line)),
            None => how,
        }
    }

    /// Waits some time for it to end by itself.
    fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + time;
        loop {
            if self.ended.is_some() {
                return self.ended;
            }
            if has_ended(&mut self.child) {
                end_group(&self.child);
                self.ended = self.child.wait().ok();
                return self.ended;
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    /// Tells it to quit, and ends it if it does not; nothing of it stays behind.
    fn drop(&mut self) {
        let _ = self.write("quit");
        self.stdin = None;
        if self.wait(FAREWELL).is_none() {
            end_group(&self.child);
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Says whether the process has ended. It is not waited for yet: until then its number, which is
/// that of its group, belongs to no other.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return false };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(pid), options).is_ok_and(|status| status.is_some())
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

/// Ends all processes of the engine's group. Only for children that have not been waited for.
#[cfg(unix)]
fn end_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: &Child) {}

fn read_lines(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn keep_last(mut errors: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut bytes = [0; 512];
    while let Ok(count) = errors.read(&mut bytes) {
        if count == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&bytes[..count]);
        let more = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..more);
    }
}
