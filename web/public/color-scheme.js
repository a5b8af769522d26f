// Runs before the first paint, so that a dark screen never flashes white. A file of its own: the page allows no inline script.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto'
  } catch {
    chosen = 'auto' // storage refused by the browser: follow the system
  }
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
