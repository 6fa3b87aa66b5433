#!/usr/bin/env bash
# Converts a local file to MP4: convert.sh IN OUT
# Environment: TELECINE_URL, TELECINE_CLIENT_ID, TELECINE_CLIENT_SECRET. Needs curl and jq.
set -euo pipefail

input=$1 output=$2
api=${TELECINE_URL:-http://127.0.0.1:8080}
folder=examples/$(date +%s)-$$

# An error reply is a problem document: show what is wrong, and what to send instead.
call() {
  local reply status
  reply=$(mktemp)
  status=$(curl -sS --retry 5 --retry-connrefused -o "$reply" -w '%{http_code}' "$@")
  if ((status >= 400)); then
    jq -r '.detail, (.errors[]? | "  \(.field): \(.message) \(.fix // "")")' "$reply" >&2
    rm "$reply"
    return 1
  fi
  cat "$reply"
  rm "$reply"
}

# A token lasts for some minutes, and a conversion can take longer: call this before each request.
token='' renew_at=0
renew() {
  ((SECONDS >= renew_at)) || return 0
  local tokens
  # The secret is read from standard input, so that the list of processes does not show it.
  tokens=$(jq -n '{clientId: env.TELECINE_CLIENT_ID, clientSecret: env.TELECINE_CLIENT_SECRET}' |
    call "$api/api/auth/token" -H 'content-type: application/json' -d @-) || return
  token=$(jq -r .accessToken <<<"$tokens")
  renew_at=$((SECONDS + $(jq '.expiresIn / 2 | floor' <<<"$tokens")))
}
auth() { printf 'header = "authorization: Bearer %s"\n' "$token"; }

renew
call -K <(auth) -T "$input" "$api/api/files/$folder/in" >/dev/null

# With the same key, a repeated request returns the same job.
renew
job=$(jq -n --arg input "$folder/in" --arg output "$folder/out.mp4" \
  '{input: $input, output: $output, parameters: {"c:v": "libx264", preset: "veryfast", "c:a": "aac"}}' |
  call -K <(auth) "$api/api/conversion" -H 'content-type: application/json' \
    -H "idempotency-key: $folder" -d @- | jq -r .jobId)

# Each reply comes when the job changes, at the latest after 20 s.
while
  renew || exit 1
  now=$(call -K <(auth) -H 'prefer: wait=20; until=change' "$api/api/conversion/$job") || exit 1
  jq -r '"\(.status) \(.progress // 0) %"' <<<"$now" >&2
  [[ $(jq -r .status <<<"$now") =~ PENDING|PROCESSING ]]
do :; done

if [[ $(jq -r .status <<<"$now") != COMPLETED ]]; then
  jq -r '.error | .message, .fix // empty' <<<"$now" >&2
  exit 1
fi
# Beside the target, so that it appears whole. -C - continues after a cut. -L follows a redirect to an object store, which
# does not get the token.
part=$output.$$.part
renew
curl -sSfL --retry 5 -C - -K <(auth) -o "$part" "$api/api/conversion/$job/output"
mv "$part" "$output"
