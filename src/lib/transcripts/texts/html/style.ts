// The looks of the page, in light and dark.

export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1c1e; --dim: #6b6b70; --line: #d9d9de; --code: #f4f4f6; --user: #2563a8; --assistant: #7a3e9d; --system: #8a6d1b; --tool: #2f7a4d; --error: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --back: #16161a; --text: #e6e6e9; --dim: #9a9aa2; --line: #36363c; --code: #222228; --user: #7fb2ec; --assistant: #cf9df0; --system: #d9bd6b; --tool: #7fd3a0; --error: #f2938c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 52rem; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: .95rem; margin: 0 0 .35rem; color: var(--who); }
h2 small, header p { color: var(--dim); font-weight: normal; overflow-wrap: anywhere; }
header p { margin: 0; }
article + article { margin-top: 4rem; border-top: 3px double var(--line); padding-top: 2rem; }
section { --who: var(--dim); margin-top: 1.5rem; padding-left: .9rem; border-left: 3px solid var(--who); }
section.user { --who: var(--user); } section.assistant { --who: var(--assistant); } section.system, section.developer { --who: var(--system); } section.tool { --who: var(--tool); }
section.more { margin-top: 0; padding-top: .5rem; }
p { margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .6rem .8rem; max-height: 40rem; overflow: auto; background: var(--code); border-radius: 6px; font: 13.5px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; }
details > pre { margin: .3rem -.2rem .4rem; }
summary { cursor: pointer; color: var(--dim); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
summary b { color: var(--text); } details.error > summary { color: var(--error); }
details.reasoning > p { color: var(--dim); font-style: italic; }
img { display: block; max-width: 100%; max-height: 40rem; margin: .5rem 0; border-radius: 6px; }
@media print { details { border: none; } pre { max-height: none; } }
`.trim();
