// The stylesheet that the front page and its challenges have in addition to that of all pages.

export const FRONT_STYLE_PATH = '/front-page.css';

export const FRONT_STYLE = `
main.document { max-width: 56rem; padding-top: clamp(1.5rem, 6vw, 4rem); }
.mark { display: flex; align-items: center; gap: .75rem; margin-bottom: 1.5rem; font-weight: 600; }
.mark img { width: 2.5rem; height: 2.5rem; }
.mark .soft { margin-left: auto; font-weight: 400; font-size: .875rem; }
h1 { max-width: 24ch; font-size: clamp(1.8rem, 1.3rem + 2.4vw, 2.75rem); letter-spacing: -.02em; text-wrap: balance; }
.lead { max-width: 40rem; font-size: 1.125rem; }
.notice { margin: 1.5rem 0; padding: 1rem 1.25rem; border-radius: 12px; background: var(--tint); border: 1px solid var(--line); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1rem; margin: 1rem 0; padding: 0; list-style: none; }
.cards > * { display: flex; flex-direction: column; padding: 1.25rem; border: 1px solid var(--line); border-radius: 12px; }
.cards h3 { margin: 0 0 .25rem; }
.cards p { flex: 1; margin: 0 0 1rem; color: var(--soft); }
.cards li p { margin: 0; }
.primary, .primary:visited { display: inline-block; box-sizing: border-box; min-height: 2.75rem; padding: .6rem 1.25rem; border: 0; border-radius: 8px; background: #2f5bea; color: #fff; font: inherit; font-weight: 600; text-align: center; text-decoration: none; }
.cards button { width: 100%; margin: 0; }
.primary:hover { background: #2950cf; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.ready { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
.ready h2 { margin: 2rem 0 .5rem; font-size: 1rem; }
.copyable { display: flex; align-items: flex-start; gap: .5rem; padding: .375rem; border: 1px solid var(--line); border-radius: 10px; background: var(--tint); }
.copyable code { flex: 1; min-width: 0; padding: .6rem .5rem; background: none; user-select: all; }
.copyable button { flex: none; margin: 0; background: var(--paper); }
.phone { display: flex; flex-direction: column; gap: .75rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 12px; }
.phone p { margin: 0; }
.phone svg { display: block; width: 100%; max-width: 15rem; margin: 0 auto; border-radius: 8px; background: #fff; fill: #000; }
@media (min-width: 48rem) {
  .ready { grid-template-columns: minmax(0, 1fr) 17.5rem; align-items: start; }
}
`;
