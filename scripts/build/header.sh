#!/bin/sh
# Beeuni tools @VERSION@ (commit @COMMIT@, @TARGET@).
#
# One file: this script, then a gzip'ed tar with the Deno CLI and the program. It unpacks them once into a cache
# folder and starts Deno there. It needs sh, ls, tail, tar and gzip. The rules are those of src/engine/unpack.ts:
# a folder that another user can change is never executed; a copy that is not whole is unpacked again.
set -u

id=@ID@
# Every file, the sizes of those that each start reads, and the SHA-256 of all in the format of sha256sum.
files='@FILES@'
sizes=' @SIZES@ '
sums='@SUMS@'
newline='
'

fail() {
  printf 'beeuni: %s\n  → %s\n' "$1" "$2" >&2
  exit 1
}

# ours FOLDER: FOLDER and the one above it are 0700 and the user's, and nobody but the user and root can put others in
# their place. FOLDER is a path without links. Counts in `found` which files have their size.
ours() {
  [ -O "$1" ] || return 1
  folder=$1
  above=${1%/*}
  shift "$#"
  path=$folder
  while [ -n "$path" ]; do
    set -- "$@" "$path"
    path=${path%/*}
  done
  for file in deno main.js; do
    [ ! -f "$folder/$file" ] || set -- "$@" "$folder/$file"
  done
  listing=$(
    # What GNU ls would read from the environment changes the columns.
    unset QUOTING_STYLE TIME_STYLE BLOCK_SIZE LS_BLOCK_SIZE
    PATH=${PATH:+$PATH:}/usr/bin:/bin LC_ALL=C
    export PATH LC_ALL
    ls -ldn / "$@" 2>/dev/null
  )
  found=0
  me=
  # The folder's own line names the user: `[ -O` has said that it is ours.
  IFS=$newline
  set -f
  for line in $listing; do
    case $line in *" $folder") set_fields "$line" && me=$uid ;; esac
  done
  verdict=0
  [ -n "$me" ] || verdict=1
  for line in $listing; do
    set_fields "$line"
    name=${line#*"$folder/"}
    if [ "$name" != "$line" ]; then
      case $sizes in *" $name:$size "*) found=$((found + 1)) ;; esac
      continue
    fi
    case $line in
      *" $folder" | *" $above")
        case $mode in drwx--[-S]---*) ;; *) verdict=1 ;; esac
        [ "$uid" = "$me" ] || verdict=1
        continue
        ;;
    esac
    [ "$uid" = "$me" ] || [ "$uid" = 0 ] || verdict=1
    case $mode in
      d????????[tT]*) ;;
      d???????w*) verdict=1 ;;
      d????w????+*) verdict=1 ;;
      d????w*) [ "$gid" = "$uid" ] && [ "$uid" = "$me" ] || verdict=1 ;;
      d*) ;;
      *) verdict=1 ;;
    esac
  done
  set +f
  unset IFS
  return "$verdict"
}

# set_fields LINE: mode, uid, gid and size of a line of `ls -ldn`.
set_fields() {
  unset IFS
  set -- $1 - - - - -
  mode=$1 uid=$3 gid=$4 size=$5
  IFS=$newline
}

# ready FOLDER: it is ours, whole, unchanged since it was unpacked, and its programs may be run.
ready() {
  [ -f "$1/complete" ] && [ -x "$1/deno" ] || return 1
  place=$(cd -P -- "$1" 2>/dev/null && pwd -P) || return 1
  ours "$place" || return 1
  [ "$found" -eq 2 ] || return 1
  for file in $files; do
    # Every file was unpacked with one and the same old time: a newer one was changed.
    [ -s "$place/$file" ] && [ ! "$place/$file" -nt "$place/complete" ] || return 1
  done
}

# unpack FOLDER: fills FOLDER, safe while others do the same and while programs run from it.
unpack() {
  base=${1%/*}
  mkdir -p -- "${base%/*}" 2>/dev/null || return 1
  { [ -d "$base" ] || mkdir -- "$base" || [ -d "$base" ]; } 2>/dev/null || return 1
  { [ -d "$1" ] || mkdir -- "$1" || [ -d "$1" ]; } 2>/dev/null || return 1
  place=$(cd -P -- "$1" 2>/dev/null && pwd -P) || return 1
  ours "$place" || return 1
  [ -w "$place" ] || return 1

  # The lock only saves work: without it every start would unpack. One that was left behind is passed over.
  lock=$place/lock waited=0 locked=
  until mkdir "$lock" 2>/dev/null && locked=1; do
    ! ready "$place" || return 0
    [ -d "$lock" ] || { [ -w "$place" ] || return 1; }
    owner=$(cat "$lock/owner" 2>/dev/null)
    [ -z "$owner" ] || kill -0 "$owner" 2>/dev/null || break
    [ "$waited" -lt 300 ] || break
    waited=$((waited + 1))
    sleep 0.1 2>/dev/null || sleep 1
  done
  new=$place/new.$$
  trap 'rm -rf "$new" "$lock"; exit 130' HUP INT TERM
  echo "$$" 2>/dev/null >"$lock/owner"
  for left in "$place"/new.*; do
    kill -0 "${left##*.}" 2>/dev/null || rm -rf "$left"
  done
  if [ -n "$locked" ] && ready "$place"; then
    rm -rf "$lock"
    trap - HUP INT TERM
    return 0
  fi
  [ ! -t 2 ] || printf 'beeuni: unpacking (first start of this version) …\n' >&2
  fill || ready "$place"
  status=$?
  rm -rf "$new" "$lock"
  trap - HUP INT TERM
  return "$status"
}

# archive: what stands behind this script.
archive() {
  tail -c +@PAYLOAD@ -- "$0" 2>/dev/null
}

# fill: unpacks into $new, checks every file, and moves each over its place, the marker last.
fill() {
  rm -rf "$new" && mkdir "$new" 2>/dev/null || return 1
  # Of a pipe the shell sees only the last status; a file cut short or changed shows in the sums.
  archive | (unset GZIP; gzip -dc 2>/dev/null) | (unset TAR_OPTIONS; cd "$new" && tar -xof - 2>/dev/null) && unpacked=1 ||
    unpacked=
  if [ -n "$unpacked" ] && command -v sha256sum >/dev/null; then
    (cd "$new" && printf '%s\n' "$sums" | sha256sum -c >/dev/null 2>&1) || unpacked=
  fi
  if [ -z "$unpacked" ]; then
    # A full disk is no damage.
    archive | (unset GZIP; gzip -t 2>/dev/null) || damaged=1
    return 1
  fi
  if ! DENO_NO_UPDATE_CHECK=1 "$new/deno" --version >/dev/null 2>&1; then
    # Where the file system is mounted noexec, another folder may do.
    [ ! -x "$new/deno" ] || foreign=1
    return 1
  fi
  for file in $files complete; do
    case $file in */*) mkdir -p "$place/${file%/*}" || return 1 ;; esac
    [ ! -d "$place/$file" ] || rm -rf "${place:?}/$file"
    mv -f "$new/$file" "$place/$file" 2>/dev/null || return 1
  done
}

# start FOLDER ARGUMENT…
start() {
  program=$1
  shift
  # Deno's own cache lies beside the program; src/engine/environment.ts gives the user's values back.
  unset BEEUNI_OUTER_DENO_DIR BEEUNI_OUTER_DENO_NO_UPDATE_CHECK
  export BEEUNI_OUTER=1
  [ -z "${DENO_DIR+set}" ] || export BEEUNI_OUTER_DENO_DIR="$DENO_DIR"
  [ -z "${DENO_NO_UPDATE_CHECK+set}" ] || export BEEUNI_OUTER_DENO_NO_UPDATE_CHECK="$DENO_NO_UPDATE_CHECK"
  export DENO_DIR="$program/deno_dir" DENO_NO_UPDATE_CHECK=1
  # Without a zone the time is UTC; not told so, the first Date of a process searches the whole zone database, 10 ms.
  [ -n "${TZ+set}" ] || [ -e /etc/localtime ] || export TZ=UTC
  exec "$program/deno" run @FLAGS@ "$program/main.js" "$@"
}

# folders ACTION: does it for the folders of src/engine/cache_folders.ts, best first, until it succeeds.
folders() {
  case ${XDG_CACHE_HOME-} in /*) ! "$1" "${XDG_CACHE_HOME%/}/beeuni/$id" || return 0 ;; esac
  case ${HOME-} in /*) [ ! -d "$HOME" ] || ! "$1" "${HOME%/}/.cache/beeuni/$id" || return 0 ;; esac
  user=$(PATH=${PATH:+$PATH:}/usr/bin:/bin; id -u)
  case ${TMPDIR-} in /*) [ ! -d "$TMPDIR" ] || ! "$1" "${TMPDIR%/}/beeuni-$user/$id" || return 0 ;; esac
  "$1" "/tmp/beeuni-$user/$id"
}

# Deno would say so in words of its own. One shell gives an error in a folder that was removed, another an empty name.
{ pwd -P >/dev/null 2>&1 && [ -n "${PWD-}" ]; } ||
  fail "the working directory does not exist any more." "Change to a folder that is there."

if ! folders ready; then
  damaged= foreign=
  old_mask=$(umask)
  old_path=${PATH-}
  umask 077
  PATH=${PATH:+$PATH:}/usr/bin:/bin
  if ! folders unpack || ! ready "$place"; then
    [ -z "$damaged" ] || fail "the program file $0 is damaged." "Install it anew."
    [ -z "$foreign" ] || fail "this machine can't run the program." "It is made for Linux with glibc on @MACHINE@."
    fail "the program found no folder to unpack itself into." \
      "Set XDG_CACHE_HOME to a folder that you can write and no other user can."
  fi
  umask "$old_mask"
  PATH=$old_path
fi
start "$place" "$@"
