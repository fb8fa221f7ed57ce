#!/bin/sh
# An engine that misbehaves in the way its first argument says. The second one marks its processes.
# As Black it first plays d3, so that faults come in the middle of a game too.
mode=$1
mark=$2

case $mode in
crash-at-start) echo "cannot read weights" >&2; exit 3 ;;
silent-at-start) while read -r line; do :; done; exit 0 ;;
no-gtp) while read -r line; do echo "what is $line?"; done; exit 0 ;;
starts-once) [ -e "$mark/started" ] && exit 4; : > "$mark/started" ;;
no-othello) go='set_game' ;;
esac

say() { printf '= %s\n\n' "$1"; }

while read -r command colour at; do
  case $command in
  list_commands) say "list_commands
name
version
clear_board
play
genmove
quit
$go" ;;
  set_game) printf '? only Go\n\n' ;;
  play)
    case $mode in
    refuses-play) printf '? illegal move\n\n' ;;
    crash-at-play) exit 5 ;;
    *) say ;;
    esac ;;
  clear_board)
    moves=0
    case $mode in
    crash-at-clear) exit 6 ;;
    refuses-clear) printf '? no\n\n' ;;
    *) say ;;
    esac ;;
  genmove)
    moves=$((moves + 1))
    if [ "$moves" = 1 ] && [ "$colour" = black ]; then
      say d3
      continue
    fi
    case $mode in
    crash|starts-once) echo "out of ideas" >&2; exit 7 ;;
    dies) kill -9 $$ ;;
    closes) exec 1>&-; sleep 1000 ;;
    hangs) sleep 1000 ;;
    stubborn) trap '' TERM INT HUP PIPE; while :; do sleep 1; done ;;
    forks) (sh -c 'sleep 1000' "$mark") & exit 0 ;;
    half) printf '= f5\n'; sleep 1000 ;;
    illegal) say a1 ;;
    occupied) say d4 ;;
    passes) say pass ;;
    resigns) say resign ;;
    no-square) say i9 ;;
    empty) say ;;
    refuses) printf '? cannot\n\n' ;;
    floods) yes "thinking" ;;
    long-line) tr '\0' 'x' < /dev/zero ;;
    bytes) printf '= \377\376\001\n\n' ;;
    no-sign) printf 'f5\n\n'; sleep 1000 ;;
    esac ;;
  quit) say; exit 0 ;;
  *) say ;;
  esac
done
