# Read by script/demo-ssh --check, once its server and its windows are there.
# Each way out is first tried on a second server that restricts nothing: only where it works there does its being refused
# here prove anything.
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
# The wall draws the word in letters of many rows; the line below them is text.
paused() { if [ "$1" = wall ]; then echo "Wait for instructions"; else echo PAUSED; fi; }

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
expect assessor-1 "Check the candidate" "assessor-1: the candidate of this round"
sleep 0.5 # the candidate is looked at first: a quicker Enter is refused
press assessor-1 Enter
expect assessor-1 "identity checked" "assessor-1: identity step"
press assessor-1 1
expect assessor-1 "item 1:" "assessor-1: an item marked"
if [ "$(marks)" -eq 1 ]; then told "the mark is in the store" yes; else failed "the mark is in the store" "$(marks)"; fi
# Who came: the record of the sign-in, against what ssh-keygen says of the key.
fingerprint=$(ssh-keygen -lf "$home/key.pub" | awk '{ print $2 }')
signins=$("$osce" export signins --format csv | tail -n +2 | tr -d '\r' | grep -c ",127.0.0.1,$fingerprint," || true)
if [ "$signins" -eq 2 ]; then
  told "both sign-ins are recorded with address and key" yes
else
  failed "both sign-ins are recorded with address and key" "$("$osce" export signins --format csv | tail -n +2)"
fi
"$osce" clock all pause --session "2026-12-07 09:00" >/dev/null
for window in wall assessor-1 assessor-2; do expect "$window" "$(paused "$window")" "$window: sees the pause"; done
"$osce" clock all resume --session "2026-12-07 09:00" >/dev/null
for window in wall assessor-1 assessor-2; do
  for tries in $(seq 50); do screen_of "$window" | grep -qF "$(paused "$window")" || break; sleep 0.1; done
  if screen_of "$window" | grep -qF "$(paused "$window")"; then
    failed "$window: goes on" "still paused"
  else
    told "$window: goes on" yes
  fi
done

# MARK: what sshd makes of the example

# The settings that hold for a connection to a port.
settings() { /usr/sbin/sshd -T -f "$home/sshd_config" -C "user=$(id -un),host=localhost,addr=127.0.0.1,lport=$1"; }
for port in "$marking" "$wall"; do
  effective=$(settings "$port")
  for wanted in "forcecommand '$home/osce-login'" "permituserrc no" "permituserenvironment no" "permittunnel no" \
    "permitlisten none" "permitopen none" "allowtcpforwarding no" "allowstreamlocalforwarding no" \
    "allowagentforwarding no" "x11forwarding no" "gatewayports no" "maxsessions 1" "passwordauthentication no" \
    "kbdinteractiveauthentication no" "authenticationmethods publickey" "exposeauthinfo yes" \
    "maxstartups 100:30:200"; do
    if ! grep -q "^$wanted" <<<"$effective"; then failed "sshd -T, port $port" "not \"$wanted\""; fi
  done
  if grep -q "^acceptenv" <<<"$effective"; then failed "sshd -T, port $port" "it accepts variables"; fi
done
if [ "$failures" -eq 0 ]; then told "sshd -T: 17 settings of each seat, no variable accepted" yes; fi

# MARK: ways out

# A way worked if a file that only a shell could make is there.
proof=$home/escaped
# Tries a way on the unrestricted server, then here. Arguments: its name, and a function that takes a port.
way() {
  local name=$1 said
  rm -f "$proof"
  "${@:2}" "$open" </dev/null >/dev/null 2>&1 || true
  if [ ! -e "$proof" ]; then
    failed "$name" "does not work on a server that restricts nothing either: proves nothing"
    return
  fi
  rm -f "$proof"
  said=$("${@:2}" "$marking" </dev/null 2>&1 | tr -d '\r' | LC_ALL=C tr -c '[:print:]\n' ' ' |
    grep -v '^ *$' | tail -1) || true
  if [ -e "$proof" ]; then
    failed "$name" "it worked"
    rm -f "$proof"
  else
    told "$name" "works elsewhere, here refused: ${said:0:50}"
  fi
}
in_shell() { timeout 8 bash -c "options=(${options[*]@Q}); proof=$proof; port=\$2; eval \"\$1\"" bash "$@"; }
way "ssh … touch" in_shell 'ssh "${options[@]}" -p $port 127.0.0.1 "touch $proof"'
way "ssh … sh -c" in_shell 'ssh "${options[@]}" -p $port 127.0.0.1 "sh -c \"touch $proof\""'
way "ssh -t … bash" in_shell 'ssh -tt "${options[@]}" -p $port 127.0.0.1 "bash -c \"touch $proof\""'
way "ssh -T, a script on its input" in_shell 'echo "touch $proof" | ssh -T "${options[@]}" -p $port 127.0.0.1'
way "sftp" in_shell 'echo "put /etc/hostname $proof" | sftp -b - "${options[@]}" -P $port 127.0.0.1'
way "scp" in_shell 'scp "${options[@]}" -P $port /etc/hostname "127.0.0.1:$proof"'
way "scp, the old protocol" in_shell 'scp -O "${options[@]}" -P $port /etc/hostname "127.0.0.1:$proof"'

# Forwarding: it worked if sshd answers through it (-L, -D, -W), or if the far side listens (-R).
tunnel() {
  in_shell '
    ssh -N '"$1"' "${options[@]}" -p $port 127.0.0.1 & held=$!
    sleep 2
    (exec 3<>/dev/tcp/127.0.0.1/'"$2"' && '"${3:-:}"' && timeout 2 head -c 20 <&3) 2>/dev/null | grep -qa SSH && touch $proof
    kill $held 2>/dev/null; wait $held 2>/dev/null; echo no answer through it' "$4"
}
socks="printf '\\5\\1\\0\\5\\1\\0\\1\\177\\0\\0\\1\\$(printf %o $((marking >> 8)))\\$(printf %o $((marking & 255)))' >&3"
way "ssh -L" tunnel "-L 29871:127.0.0.1:$marking" 29871 :
way "ssh -R" tunnel "-R 29872:127.0.0.1:$marking" 29872 :
way "ssh -D" tunnel "-D 29873" 29873 "$socks"
way "ssh -W" in_shell "timeout 3 ssh -W 127.0.0.1:$marking \"\${options[@]}\" -p \$port 127.0.0.1 | grep -qa SSH && touch \$proof"

# The processes of osce that run for this demonstration.
ours() {
  local process
  for process in $(pgrep -f "^$osce( wall)?\$"); do
    if grep -qzx "OSCE_STORE=$OSCE_STORE" "/proc/$process/environ" 2>/dev/null; then echo "$process"; fi
  done
}

# What reaches the far side: told by env on the unrestricted server, read from the process of osce here.
carried='^(LD_PRELOAD|PAGER|EDITOR|TERMINFO|BASH_ENV|SSH_AUTH_SOCK|DISPLAY|OSCE_CONFIG|XDG_CONFIG_HOME)=|evil'
environment() {
  local name=$1 process known
  shift
  if ! env "TERM=${type:-xterm-256color}" ssh -tt "$@" "${options[@]}" -p "$open" 127.0.0.1 env 2>/dev/null </dev/null |
    grep -qE "${looked:-$carried}"; then
    failed "$name" "does not work on a server that restricts nothing either: proves nothing"
    return
  fi
  known=$(ours)
  on_tmux new-window -d -t osce -n probe "$(printf '%q ' env "TERM=${type:-xterm-256color}" ssh "$@" "${options[@]}" -p "$marking" 127.0.0.1)"
  for tries in $(seq 80); do
    process=$(ours | grep -vxF "${known:-none}" || true)
    if [ -n "$process" ]; then break; fi
    sleep 0.1
  done
  if [ -z "$process" ]; then
    failed "$name" "osce did not start"
  elif tr '\0' '\n' <"/proc/$process/environ" | grep -qE "$carried"; then
    failed "$name" "it reached the program"
  else
    told "$name" "works elsewhere, here not in the program's environment"
  fi
  on_tmux kill-window -t osce:probe
  for tries in $(seq 30); do
    if [ "$(ours)" = "$known" ]; then break; fi
    sleep 0.1
  done
}
# What osce is told of the caller is sshd's, whatever a client asks for.
carried="$carried|^SSH_(CONNECTION|USER_AUTH)=.*evil"
environment "SetEnv SSH_CONNECTION, SSH_USER_AUTH, LD_PRELOAD, PAGER, TERMINFO, BASH_ENV, OSCE_CONFIG" \
  -o "SetEnv=SSH_CONNECTION=evil SSH_USER_AUTH=/tmp/sshauth.evil LD_PRELOAD=/evil PAGER=/evil EDITOR=/evil TERMINFO=/evil BASH_ENV=/evil OSCE_CONFIG=/evil"
type=../../evil environment "TERM=../../evil"
eval "$(ssh-agent -a "$home/agent" | sed 's/^echo.*//')"
agent=$SSH_AGENT_PID
looked='^SSH_AUTH_SOCK=' environment "ssh -A" -A -o IdentityAgent="$home/agent"
if [ -x /usr/bin/xauth ]; then
  DISPLAY=:9 looked='^DISPLAY=' environment "ssh -X" -X
else
  told "ssh -X" "not tried: without xauth sshd forwards no display"
fi

# Keys. On the unrestricted server they are pressed at a program that a shell started; here at the signed-in assessor.
# The pane must still run osce, and nothing may have been made.
# Arguments: its name, the program, what that shows once it is there, and the keys.
keys() {
  local name=$1 program=$2 shown=$3
  shift 3
  rm -f "$proof"
  on_tmux new-window -d -t osce -n other "$(printf '%q ' env TERM=xterm-256color ssh -tt "${options[@]}" -p "$open" 127.0.0.1 "$program")"
  shows other "$shown" || true
  if [ -n "${first:-}" ]; then
    press other -l "$first"
    press other Enter
    shows other begun || true
  fi
  pressed other "$@"
  for tries in $(seq 100); do
    if [ -e "$proof" ]; then break; fi
    sleep 0.1
  done
  on_tmux kill-window -t osce:other 2>/dev/null || true
  if [ ! -e "$proof" ]; then
    failed "$name" "does not work on a server that restricts nothing either: proves nothing"
    return
  fi
  rm -f "$proof"
  pressed assessor-1 "$@"
  for tries in 1 2; do
    press assessor-1 Escape
    sleep 0.2
  done
  if [ -e "$proof" ]; then
    failed "$name" "it worked"
  elif [ "$(on_tmux display-message -p -t osce:assessor-1 '#{pane_dead}')" = 1 ]; then
    failed "$name" "the connection has ended"
  else
    told "$name" "works elsewhere, here osce goes on"
  fi
}
pressed() {
  local window=$1
  shift
  if [ "$1" = paste ]; then
    on_tmux set-buffer -b hostile $'\e[201~\ntouch '"$proof"$'\n'
    press "$window" e
    on_tmux paste-buffer -p -b hostile -t "osce:$window"
  else
    press "$window" "$@"
    sleep 0.5
    press "$window" -l "touch $proof"
  fi
  press "$window" Enter
  sleep 0.7
}
shell='exec bash --norc --noprofile -i'
prompt=bash-
# One job, which says that it runs in a word that the typed line does not have.
job="sh -c 'echo be\"\"gun; exec sleep 100'"
first=$job keys "Ctrl-C" "$shell" "$prompt" C-c
first=$job keys 'Ctrl-\' "$shell" "$prompt" 'C-\'
first=$job keys "Ctrl-Z" "$shell" "$prompt" C-z
if command -v less >/dev/null; then keys "! as in a pager" "less /etc/passwd" root: '!'; fi
editor=$(command -v vi || command -v ed || true)
if [ "${editor##*/}" = vi ]; then keys ":! as in an editor" vi "~" ':' '!' s h Enter; fi
keys "a paste that ends its own brackets" "$shell" "$prompt" paste

# MARK: what osce starts

started=$(for process in $(ours); do pgrep -P "$process" || true; done)
if [ -z "$started" ]; then told "no osce has started a process" yes; else failed "osce has started" "$started"; fi

echo
if [ "$failures" -gt 0 ]; then
  echo "$failures failed"
  exit 1
fi
echo "Everything worked, and no way out was found."
