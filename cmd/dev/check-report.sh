#!/usr/bin/env bash
# Opens HTML reports in Chromium without a window: those of real runs in both languages, and the golden ones.
#
#   cmd/dev/check-report.sh [FOLDER]    where the runs are made; a new folder below bin if none is given
#
# Pictures and PDFs stay in bin/report. A page that asks for something, runs something or says something on the
# console fails, and so does a check that lets such a page pass.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=bin/report
mkdir -p "$out"
work=$(mktemp -d "${1:-bin}/check-report.XXXXXX")
trap 'rm -rf "$work"' EXIT
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
check() { CGO_ENABLED=0 go run ./cmd/dev/checkreport -chromium "$browser" -out "$out" "$@"; }

cli() { bin/cachecliff-cli "$@" --data "$work/data"; }
row=(RND4K Q8T1 R70 TIME=2s --target "$work" --size 64MiB --loops 2)
cli run "${row[@]}" >/dev/null || cli run "${row[@]}" --buffered >/dev/null # a file system without direct I/O
cli export latest --out "$out/real-en.html"
cli export latest --lang de --out "$out/real-de.html"
cp app/export/testdata/*.html "$out"

# The check itself: each of these pages has to fail.
for bad in '<img src="http://127.0.0.1:9/x.png">' '<script>console.error(1)</script>' '<div style="width:3000px">x</div>'; do
    sed -e '/Content-Security-Policy/d' -e "s|</body>|$bad</body>|" "$out/real-en.html" >"$work/bad.html"
    if check "$work/bad.html" >/dev/null 2>&1; then
        echo "FAILED: the check lets this pass: $bad"
        exit 1
    fi
done
rm -f "$out"/bad-*
# And with the policy of the report in place nothing is asked for.
sed -e 's|</body>|<img src="http://127.0.0.1:9/x.png"></body>|' "$out/real-en.html" >"$work/refused.html"
refused=$(check "$work/refused.html" 2>&1 || true)
rm -f "$out"/refused-*
if ! grep -q 'Content Security Policy' <<<"$refused"; then
    echo "FAILED: the policy does not hold: $refused"
    exit 1
fi

check "$out"/*.html
