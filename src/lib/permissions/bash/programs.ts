// Programs that can be told to run another or to write a file, with the options that do neither (see options.ts). From the manuals of GNU, util-linux,
// mawk, OpenSSH, curl, Wget, npm, Cargo and Go, and from https://gtfobins.github.io for who belongs here.

const LINES = `
sort: -bcCdfghiMmnRrsuVz -ktS: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort
  --human-numeric-sort --numeric-sort --random-sort --reverse --sort: --version-sort --check --merge --key: --field-separator: --stable --unique
  --zero-terminated --parallel: --buffer-size: --batch-size: --output! -o! --help --version
uniq: -cdDiuz0123456789 -fsw: --count --repeated --all-repeated --unique --ignore-case --zero-terminated --skip-fields: --skip-chars: --check-chars:
  --group --help --version <=1
shuf: -erz -ni: --echo --repeat --zero-terminated --head-count: --input-range: --output! -o! --help --version
tree: -adfilpsughDFQqNCAnXJhvrtUcSx -LIP: --dirsfirst --filesfirst --noreport --gitignore --prune --filelimit: --du --si --inodes --device --charset:
  --sort --matchdirs --ignore-case --help --version
split: -CbaIln: -dxe -t: --lines: --bytes: --line-bytes: --number: --suffix-length: --numeric-suffixes --hex-suffixes --additional-suffix: --verbose
xxd: -abeEiupv -gclsn: <=1
date: -uR -I? -dr: --date: --utc --universal --iso-8601 --rfc-3339: --rfc-email --reference: --help --version
tar: -cxtruzjJvkmpOSahlwW -fCXb: --create --extract --get --list --append --update --file: --directory: --verbose --gzip --gunzip --bzip2 --xz --zstd
  --exclude: --exclude-vcs --exclude-from: --strip-components: --to-stdout --keep-old-files --overwrite --wildcards --no-same-owner
  --no-same-permissions --preserve-permissions --totals --dereference --touch --help --version bundle
zip: -rqjvumy0123456789DXoFdfgh
rsync: -avzrlptgoDnhuPqcHAXSxWiCk08 --archive --verbose --compress --recursive --delete --delete-before --delete-during --delete-after
  --delete-excluded --dry-run --exclude: --include: --exclude-from: --include-from: --files-from: --progress --partial --stats --human-readable
  --update --checksum --links --copy-links --perms --times --owner --group --max-size: --min-size: --info: --itemize-changes --ignore-existing
  --existing --size-only --inplace --no-perms --no-owner --no-group --ignore-times --one-file-system --mkpath --bwlimit: --timeout: --help --version
scp: -rpqCv346BT -Pil:
ssh: -46ACgKkMNnqTtVvXxYysafG -bcilLRDWJmpQ: >>2
curl: -sSfLvIiGgNk#0123456jnR -XHdAumCFbery: -o! --request: --header: --data: --data-raw: --data-binary: --data-urlencode: --json: --form:
  --user-agent: --user: --silent --show-error --fail --fail-with-body --location --head --include --get --compressed --insecure --max-time:
  --connect-timeout: --retry: --retry-delay: --retry-all-errors --url: --referer: --globoff --verbose --no-progress-meter --progress-bar --http1.1
  --http2 --ipv4 --ipv6 --no-buffer --max-redirs: --range: --cookie: --output! --write-out: -w: --version --help
wget: -qSvdncN46rlpk -tTUwQ: --quiet --spider --server-response --verbose --no-verbose --tries: --timeout: --user-agent: --header: --method:
  --max-redirect: --content-on-error --no-check-certificate --timestamping --no-clobber --continue --body-data: --post-data: -O! --output-document!
  --help --version
make: -kniqrsSwBtvp -jlO? --jobs --keep-going --dry-run --just-print --silent --quiet --always-make --no-print-directory --print-directory --trace
  --question --touch --load-average --output-sync --no-builtin-rules --debug --version --help
man: -afkw --all --whatis --apropos --where --path --help --version
less: -NSRFXnsiIeEfGgmMrUw
rg: -abcFhHiIlLnNoPpqsSuUvVwxz0. -ABCDEdegmMrtTj: --after-context: --before-context: --context: --count --count-matches --case-sensitive --color:
  --colors: --column --crlf --debug --encoding: --files --files-with-matches --files-without-match --fixed-strings --follow --glob: --iglob: --heading
  --no-heading --hidden --ignore-case --ignore-file: --invert-match --json --line-number --no-line-number --line-regexp --max-columns: --max-count:
  --max-depth: --max-filesize: --multiline --multiline-dotall --no-config --no-filename --no-ignore --no-ignore-vcs --no-messages --null
  --only-matching --passthru --path-separator: --pcre2 --pretty --quiet --regexp: --replace: --search-zip --smart-case --sort: --sortr: --stats --text
  --threads: --trim --type: --type-not: --type-list --type-add: --unrestricted --vimgrep --with-filename --word-regexp --no-require-git --version --help
fd: -HIusigFaLp0lqh1V -dteESocj: --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings
  --absolute-path --list-details --follow --full-path --print0 --max-depth: --min-depth: --exact-depth: --type: --extension: --exclude: --size:
  --changed-within: --changed-before: --color: --max-results: --prune --quiet --strip-cwd-prefix --threads: --help --version
go: words -v -x --race --run: --count: --timeout: --cover --short --bench: --benchtime: --benchmem --tags: --json --failfast --parallel: --list:
  --skip: --cpu: --shuffle: --covermode: --coverpkg: -p: -n -m -u -t -d -l -s -a
cargo: -vqhV -pjF: --release --workspace --all --all-targets --all-features --features: --no-default-features --lib --bins --bin: --test: --tests
  --example: --examples --bench: --benches --package: --exclude: --verbose --quiet --locked --offline --frozen --jobs: --no-run --no-fail-fast
  --message-format: --color: --check --doc --no-deps --profile: --depth: --keep-going --version --help --list --dev --edition: --vers:
npm: words -s -D -S -E -P -O -B -g -w -ws -y -a -v -l -f -h -d -q -r --silent --quiet --save --save-dev --save-exact --save-prod --save-optional
  --save-peer --no-save --no-audit --no-fund --audit --fund --no-optional --omit: --include: --only: --workspaces --include-workspace-root --if-present
  --production --global --json --long --parseable --depth: --all --loglevel: --ignore-scripts --dry-run --force --legacy-peer-deps
  --strict-peer-deps --prefer-offline --offline --yes --progress --no-progress --no-color --color --audit-level: --package-lock-only
  --no-package-lock --version --help --tag: --access: --otp: --workspace: --verbose --frozen-lockfile --no-frozen-lockfile --prod --dev --recursive
  --parallel --filter: --no-bail --stream --latest --foreground-scripts --save-bundle
yarn: words -s -D -E -P -O -W -v -h -T --silent --verbose --dev --peer --optional --exact --tilde --frozen-lockfile --immutable --production --prod
  --no-lockfile --ignore-scripts --ignore-engines --non-interactive --json --check-files --offline --force --version --help --watch --coverage --ci
  --fix --check --run --runInBand --updateSnapshot -u --all --recursive --parallel --mode:
npx: -ynqh --yes --no --no-install --quiet --version --help >>1
node: -chv --check --version --help --test --watch --no-warnings --enable-source-maps --trace-warnings --test-only --test-name-pattern:
  --test-concurrency: --experimental-strip-types --max-old-space-size: --test-timeout: >>1
python: -bBdEhIOqsSuvVx -m; -WX: --version --help >>1
perl: -cwvTtU --version --help >>1
ruby: -cvwW --version --help >>1
php: -lvimn --version --help --ini >>1
lua: -v >>1
deno: -hV --version --help --check --watch --quiet --allow-read --allow-net --allow-env --no-check --doc --coverage --parallel
bun: -hvi --version --help --watch --hot --silent --production --dev --frozen-lockfile --coverage --bail --timeout: --test-name-pattern: -t:
osascript: <=1
sed: -nErsuz -e: -l: --quiet --silent --regexp-extended --separate --null-data --unbuffered --expression: --debug --posix --sandbox --help --version
awk: -Fv: --field-separator: --assign: --version --help
tee: -aip --append --ignore-interrupts
install: -dDvpCcT -mogt: --directory --verbose --mode: --owner: --group: --target-directory: --preserve-timestamps --compare
yq: -rceCMjnsSP -oIpt: --raw-output --compact-output --exit-status --output-format: --input-format: --indent: --prettyPrint --null-input --yaml-output
docker: -aqnh -t: --all --quiet --filter: --format: --no-trunc --tail: --follow --since: --until: --timestamps --digests --size --latest --last:
  --no-stream --services --version --help -d --detach --remove-orphans --rm --no-color --no-log-prefix --wait --no-deps --pull: --no-cache
`;

/** The line of the table of each program. */
export const PROGRAMS: ReadonlyMap<string, string> = new Map(
  LINES.trim()
    .split(/\n(?=\S)/)
    .map((line) => {
      const [, name = '', options = ''] = /^(\S+):\s*(.*)$/s.exec(line) ?? [];
      return [name, options] as const;
    }),
);

/** Programs under another name. */
export const SAME: ReadonlyMap<string, string> = new Map(
  `fdfind:fd gawk:awk mawk:awk nawk:awk original-awk:awk bsdtar:tar gtar:tar gsed:sed gsort:sort gfind:find gmake:make bmake:make nodejs:node pypy:python
  pnpm:npm pnpx:npx luajit:lua podman:docker nerdctl:docker cc:gcc c++:gcc g++:gcc clang:gcc clang++:gcc gradlew:gradle mvnw:mvn sftp:scp ginstall:install gsplit:split gshuf:shuf`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);

/** Programs whose scripts, commands or key strokes run others, and builtins that evaluate what they are given. No wildcard counts for them. */
export const NEVER: ReadonlySet<string> = new Set(
  `vi vim nvim view vimdiff rvim gvim emacs ed red ex nano pico micro more most gdb lldb psql mysql mariadb sqlite3 sqlite duckdb mongo mongosh
  redis-cli socat nc ncat netcat nmap tcpdump telnet ftp lftp crontab screen tmux dialog expect tclsh wish gnuplot octave ghci irb pry iex jshell scala
  R Rscript julia groovy pwsh powershell csplit dc m4 cpio gcore capsh start-stop-daemon ld.so run-parts
  let read mapfile readarray getopts declare typeset local export readonly unset set shopt enable hash alias bind complete compgen compopt fc history
  jobs wait shift trap source . eval exec logout suspend env-update direnv`.split(/\s+/),
);

/** Subcommands that run or write nothing else than what they are called for. About others a wildcard says nothing unless it names them. */
export const SUBCOMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  `npm:run,run-script,test,t,tst,start,stop,restart,install,i,in,ci,add,ls,list,outdated,audit,view,info,show,why,explain,prune,dedupe,uninstall,un,remove,rm,update,up,pack,whoami,ping,search,fund,root,bin,doctor,install-test,it,build,lint,typecheck,dev,format,check
  go:test,build,vet,fmt,list,mod,version,doc,env,get,install,clean,run
  cargo:test,t,build,b,check,c,clippy,fmt,doc,run,r,bench,tree,metadata,update,clean,add,remove,search,version,fetch,nextest
  docker:ps,images,logs,inspect,version,info,build,pull,stats,top,port,diff,history,search,compose,start,stop,restart,kill,rm,rmi,network,volume,image,container,system
  deno:run,test,lint,fmt,check,task,bench,doc,info
  bun:run,test,install,i,add,remove,update,outdated,pm`
    .split('\n')
    .map((line) => line.trim().split(':'))
    .map(([name = '', list = '']) => [name, new Set(list.split(','))] as const),
);

/** Programs that read a script from standard input where no operand names one. */
export const INTERPRETERS: ReadonlySet<string> = new Set('node python perl ruby php lua osascript'.split(' '));

/** Words that make other programs run what they are given, or write it. */
export const RISKY: ReadonlyMap<string, RegExp> = new Map([
  ['gh', /^(alias|extension|ext|codespace|cs|config|browse|--web|-w)$/],
  ['kubectl', /^(exec|cp|debug|edit|run|plugin|config|proxy|--kubeconfig.*|--cache-dir.*|--profile-output.*)$/],
  [
    'eslint',
    /^(-o.*|--rulesdir.*|--resolve-plugins.*|--parser|--parser=.*|--format|-f.*|--cache-location.*|-c|--config.*)$/,
  ],
  ['prettier', /^(--config.*|--cache-location.*)$/],
  [
    'pytest',
    /^(-p.*|-c.*|-o.*|--rootdir.*|--confcutdir.*|--basetemp.*|--junit-?xml.*|--override.*|--debug.*|--log-file.*|--pdb.*)$/,
  ],
  [
    'jest',
    /^(-c|--(config|globalSetup|globalTeardown|runner|testRunner|setupFiles.*|transform|resolver|reporters|rootDir).*)$/,
  ],
  ['vitest', /^(-c|-r|--(config|globalSetup|root|dir|environment|reporter|outputFile|pool|browser).*)$/],
  ['mocha', /^(-r|--(require|file|config|package|reporter|ui|opts).*)$/],
  [
    'pip',
    /^(-t|-r.*|-c.*|--(target|prefix|root|python|config-settings|global-option|src|log|editable|cache-dir|report).*)$/,
  ],
  ['diff', /^(-l|--paginate)$/],
  ['sdiff', /^(-o.*|--output.*|--diff-program.*)$/],
  ['file', /^(-C|--compile)$/],
  ['ctags', /^--(_?x?cmd.*|options.*)$/],
  ['gcc', /^(-o.*|-wrapper.*|-B.*|-specs.*|-fplugin.*|-dumpdir|@.*)$/],
  ['mvn', /^(-f.*|-s.*|-gs.*|--file.*|--settings.*|exec:.*|-Dexec.*)$/],
  ['gradle', /^(-I.*|-b.*|-p.*|-c.*|--init-script.*|--project-dir.*|--build-file.*|--settings-file.*)$/],
]);

/** Long options that name a program or a file to write, for programs that the table does not have. */
export const GENERIC =
  /^--?(exec|execute|exec-.+|.+-exec|command|cmd|.+-command|shell|.+-shell|pager|editor|browser|rsh|eval|script|preload|output|output-?(file|dir|path)|out|out-?(file|dir|put)|log-?file|to-command|plugin|require|pre|hook|use-compress-program|compress-program)$/i;
