# shellcheck shell=bash
# A folder of a script's own, a PostgreSQL in $folder/one, and one that follows it in $folder/two. Read by script/bench-hub and
# script/faults-postgres, which remove the folder.
folder=$(mktemp -d "/var/tmp/osce-$(basename "$0")-XXXXXX")
chmod 711 "$folder"
programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
# The server refuses to run as root.
as=()
if [ "$(id -u)" -eq 0 ]; then as=(runuser -u postgres --); fi
postgres() { (cd / && "${as[@]}" "$programs/$1" "${@:2}"); }
server() { postgres pg_ctl -D "$folder/$1/data" -w -s "${@:2}"; }
make_one() {
  local name
  for name in one two; do install -d -m 700 ${as[0]:+-o postgres} "$folder/$name"; done
  postgres initdb -D "$folder/one/data" -U osce -A trust -E UTF8 --no-locale >/dev/null
}
copy_to_two() { # WAY to the first, by which the copy follows; OPTIONS of pg_basebackup
  postgres pg_basebackup -h "$folder/one" -U osce -D "$folder/two/data" -R -c fast -d "$1 user=osce application_name=two" \
    "${@:2}"
}
