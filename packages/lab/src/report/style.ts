/**
 * The style sheet of reports: light and dark, wide and narrow, and for print, in the colours of the website. Colours of data are those
 * of Okabe and Ito.
 */
import { COLOURS } from '../charts/palette.ts';

export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fff; --card: #f5f6f8; --ink: #1b1f24; --soft: #4d5661; --line: #d5d9df; --link: #0b5cad;
  --good: #00724f; --bad: #b03a00;
  ${COLOURS.light};
  --h0: #9fcbe8; --h1: #e9edf0; --h2: #fde8c4; --h3: #f9cd85; --h4: #eda23c; --h5: #d56a12; --h6: #9c3d00;
  --on-cool: #1c1d1f; --on-hot: #1c1d1f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --card: #1d2127; --ink: #e4e7eb; --soft: #b6bec8; --line: #363d47; --link: #6cb0f5;
    --good: #3ecb9b; --bad: #ff9a5c;
    ${COLOURS.dark};
    --h0: #1f5f8a; --h1: #2b2f34; --h2: #4a3a1e; --h3: #6d4d16; --h4: #96600d; --h5: #c0690f; --h6: #ef8433;
    --on-cool: #f1f2f3; --on-hot: #fff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 88rem; padding: 1rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .25rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 2rem 0 .5rem; }
a { color: var(--link); }
p, ul.plain { max-width: 46rem; }
.soft, figcaption, caption, .note { color: var(--soft); font-size: .875rem; }
nav summary { font-weight: 400; color: var(--link); } nav.top { position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); padding: .4rem 0; } nav.top details { margin: 0; } nav.top ul { max-height: 70vh; overflow-y: auto; }
html { scroll-padding-top: 3rem; } h3 { scroll-margin-top: 3rem; }
nav ul, ul.keys { list-style: none; margin: .75rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
ol.verdicts { padding-left: 1.4rem; max-width: 48rem; } ol.verdicts li { margin: .55rem 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 1rem 0; }
.card dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem 1rem; margin: 0; }
.card dt { color: var(--soft); } .card dd { margin: 0; }
figure { margin: 1.25rem 0 1.75rem; } figcaption { margin-top: .25rem; max-width: 46rem; }
figure svg { display: block; max-width: 100%; height: auto; } figure svg.narrow { display: none; }
ul.keys { margin: 0 0 .4rem; font-size: .875rem; } ul.keys li { display: flex; align-items: center; gap: .4rem; }
ul.keys i { width: 1.4rem; border-top: 3px solid currentColor; } ul.keys i.dashed { border-top-style: dashed; }
.scroll { overflow-x: auto; margin: .5rem 0 1.25rem; background: linear-gradient(90deg, transparent 60%, var(--page)) right / 2.5rem 100% no-repeat local, linear-gradient(270deg, var(--line), transparent) right / .9rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { caption-side: bottom; text-align: left; padding-top: .4rem; }
th, td { padding: .22rem .6rem .22rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); vertical-align: bottom; } thead th.long { white-space: normal; min-width: 11rem; } th.name, td.name { text-align: left; } tbody th { text-align: left; position: sticky; left: 0; background: var(--page); }
tr.ours th, tr.ours td { font-weight: 600; }
details { margin: .75rem 0; } summary { cursor: pointer; font-weight: 600; } summary:focus-visible, a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
figure { max-width: 60rem; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; }
code { font-size: .9em; }
.warning { border-left: 3px solid var(--bad); padding-left: .7rem; }
@media (max-width: 560px) {
  body { padding: .5rem .6rem 3rem; } h1 { font-size: 1.4rem; }
  figure svg.wide { display: none; } figure svg.narrow { display: block; }
  .card dl { grid-template-columns: minmax(0, 1fr); gap: 0; } .card dd { margin-bottom: .4rem; }
}
@media print { nav { display: none; } body { max-width: none; } }
`;
