# Read by script/demo-ssh --check, once its server and its windows are there.
failures=0
told() { printf '%-58s %s\n' "$1" "$2"; }
failed() {
  told "$1" "FAILED: $2"
  failures=$((failures + 1))
}
screen_of() { on_tmux capture-pane -p -t "osce:$1"; }
press() { on_tmux send-keys -t "osce:$1" "${@:2}"; }

# Whether a window shows a text within ten seconds.
shows() {
  local tries
  for tries in $(seq 100); do
    if screen_of "$1" | grep -qF -- "$2"; then return 0; fi
    sleep 0.1
  done
  return 1
}
expect() {
  if shows "$1" "$2"; then
    told "$3" yes
  else
    failed "$3" "\"$2\" is not shown"
    screen_of "$1"
  fi
}
marks() { "$osce" export marks --format csv | awk -F, '/,disk,/' | wc -l; }

# MARK: what has to work

sign_in() {
  expect "$1" "Who are you?" "$1: asked who sits there"
  press "$1" -l "$2"
  expect "$1" "▸ $3" "$1: found by name"
  press "$1" Enter
  expect "$1" "your stations" "$1: signed in"
  press "$1" Enter
}
sign_in assessor-1 okafor "Dr Ngozi Okafor"
sign_in assessor-2 yamamoto "Dr"
press assessor-1 ">"
expect assessor-1 "Who is in the room?" "assessor-1: the candidate of this round"
press assessor-1 Enter
expect assessor-1 "identity checked" "assessor-1: identity step"
press assessor-1 1
expect assessor-1 "item 1:" "assessor-1: an item marked"
if [ "$(marks)" -eq 1 ]; then told "the mark is in the store" yes; else failed "the mark is in the store" "$(marks)"; fi
"$osce" clock all pause --session "2026-12-07 09:00" >/dev/null
for window in wall assessor-1 assessor-2; do expect "$window" PAUSED "$window: sees the pause"; done
"$osce" clock all resume --session "2026-12-07 09:00" >/dev/null
for window in wall assessor-1 assessor-2; do
  for tries in $(seq 50); do screen_of "$window" | grep -q PAUSED || break; sleep 0.1; done
  if screen_of "$window" | grep -q PAUSED; then failed "$window: goes on" "still PAUSED"; else told "$window: goes on" yes; fi
done

# MARK: ways out

# An attempt worked if a file that only a shell could make is there.
proof=$home/escaped
attempt() {
  local name=$1 said
  shift
  said=$(timeout 5 "$@" </dev/null 2>&1 | tr -d '\r' | LC_ALL=C tr -c '[:print:]\n' ' ' | grep -v '^ *$' | tail -1) || true
  outcome "$name" "${said:0:70}"
}
outcome() {
  if [ -e "$proof" ]; then
    failed "$1" "it worked"
    rm -f "$proof"
  else
    told "$1" "refused: ${2:-nothing came}"
  fi
}
there="ssh ${options[*]} -p $marking 127.0.0.1"
attempt "ssh … touch" $there "touch $proof"
attempt "ssh … sh -c" $there "sh -c 'touch $proof'"
attempt "ssh -t … bash" ssh -tt "${options[@]}" -p "$marking" 127.0.0.1 "bash -c 'touch $proof'"
attempt "ssh -T, a script on its input" bash -c "echo 'touch $proof' | ssh -T ${options[*]} -p $marking 127.0.0.1"
attempt "sftp" bash -c "echo 'put /etc/hostname $proof' | sftp -b - ${options[*]} -P $marking 127.0.0.1"
attempt "scp" scp "${options[@]}" -P "$marking" /etc/hostname "127.0.0.1:$proof"
attempt "scp, the old protocol" scp -O "${options[@]}" -P "$marking" /etc/hostname "127.0.0.1:$proof"

# Forwarding: it worked if sshd answers through it (-L, -D), or if the far side listens (-R).
tunnel() {
  local name=$1 port=$2 said
  shift 2
  timeout 4 script -qec "ssh -tt $* ${options[*]} -p $marking 127.0.0.1" /dev/null >"$home/tunnel" 2>&1 </dev/null &
  local process=$!
  sleep 2
  said=$( (exec 3<>"/dev/tcp/127.0.0.1/$port"
    case $name in *-D*) printf '\5\1\0\5\1\0\1\177\0\0\1'"\\$(printf %o $((marking >> 8)))\\$(printf %o $((marking & 255)))" >&3 ;; esac
    timeout 2 head -c 20 <&3) 2>/dev/null | tr -cd '[:print:]') || true
  wait "$process" 2>/dev/null || true
  case $said in *SSH*) touch "$proof" ;; esac
  outcome "$name" "no answer through it"
}
tunnel "ssh -L" 29871 -L "29871:127.0.0.1:$marking"
tunnel "ssh -R" 29872 -R "29872:127.0.0.1:$marking"
tunnel "ssh -D" 29873 -D 29873

# The agents' sockets of sshd, and its displays from :10 on that listen.
forwarded() {
  find /tmp -maxdepth 2 -path '/tmp/ssh-*/agent.*' 2>/dev/null | sort
  awk '$4 == "0A" && $2 ~ /:177[A-F]$/ { print $2 }' /proc/net/tcp
}

# What reaches the program's environment: read from the process itself.
environment() {
  local name=$1 process known before
  shift
  before=$(forwarded)
  known=$(pgrep -n -f "^$osce\$")
  on_tmux new-window -d -t osce -n probe "$(printf '%q ' env "TERM=${type:-xterm-256color}" ssh "$@" "${options[@]}" -p "$marking" 127.0.0.1)"
  sleep 2
  process=$(pgrep -n -f "^$osce\$" || true)
  if [ "$process" = "$known" ]; then
    failed "$name" "osce did not start"
  elif tr '\0' '\n' <"/proc/$process/environ" | grep -qE '^(LD_PRELOAD|PAGER|EDITOR|TERMINFO|BASH_ENV|SSH_AUTH_SOCK|DISPLAY)=|evil'; then
    failed "$name" "it reached the program"
  elif [ "$(forwarded)" != "$before" ]; then
    failed "$name" "sshd opened a socket for it"
  else
    told "$name" "refused: not in the program's environment"
  fi
  on_tmux kill-window -t osce:probe
  sleep 0.5
}
environment "SetEnv LD_PRELOAD, PAGER, TERMINFO, BASH_ENV" \
  -o "SetEnv=LD_PRELOAD=/evil PAGER=/evil EDITOR=/evil TERMINFO=/evil BASH_ENV=/evil"
type=../../evil environment "TERM=../../evil"
eval "$(ssh-agent -a "$home/agent" | sed 's/^echo.*//')"
agent=$SSH_AGENT_PID
environment "ssh -A" -A -o IdentityAgent="$home/agent"
DISPLAY=:9 environment "ssh -X" -X

# Keys at the signed-in assessor. The pane still runs osce, nothing was made, and no line of a shell is shown.
keys() {
  local name=$1 before
  shift
  before=$(on_tmux display-message -p -t osce:assessor-1 '#{pane_dead}')
  press assessor-1 "$@"
  press assessor-1 -l "touch $proof"
  press assessor-1 Enter
  sleep 0.5
  press assessor-1 Escape
  sleep 0.2
  press assessor-1 Escape
  sleep 0.2
  if [ "$before" = 1 ] || [ "$(on_tmux display-message -p -t osce:assessor-1 '#{pane_dead}')" = 1 ]; then
    outcome "$name" "the connection had ended"
  else
    outcome "$name" "osce goes on"
  fi
}
keys "Ctrl-C" C-c
keys "Ctrl-\\" 'C-\'
keys "!" '!'
keys ":!sh" : '!' s h Enter
on_tmux set-buffer -b hostile $'\e[201~\e]0;x\a\eP$q\e\\!sh\n'
press assessor-1 e
on_tmux paste-buffer -p -b hostile -t osce:assessor-1
keys "a bracketed paste with escapes" Escape
keys "Ctrl-Z" C-z

echo
if [ "$failures" -gt 0 ]; then
  echo "$failures failed"
  exit 1
fi
echo "Everything worked, and no way out was found."
