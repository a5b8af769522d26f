import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
} from '@mantine/core'

/* Ten-step ramps. Light fills take index 7 and light text 8; dark fills take 4. */
const petrol = '#e6f4f8 #cfe8f0 #a3d2e1 #72bad1 #4ba6c4 #2f93b5 #0f7396 #0b6585 #085670 #05455a'
const slate = '#f6f8fa #eef1f5 #dfe5ec #c9d2dc #a9b5c2 #8592a1 #667483 #515e6c #3c4754 #26303b'
/* Destructive acts, e.g. deleting. */
const red = '#fdeae8 #fbd2ce #f5a9a2 #fc8a80 #ff9c94 #d24a40 #c2362c #b3261e #981c15 #7a140f'
/* Every surface of the dark scheme: neutral, never black. Black is for pixels. */
const dark = '#e4e8ed #c3cad2 #a3adb8 #7f8b98 #4a5663 #323c47 #252d36 #1a2028 #141920 #0e1217'

type Ramp = [string, string, string, string, string, string, string, string, string, string]
const ramp = (colours: string) => colours.split(' ') as Ramp // ten by the lines above

/* The library's own contrast rule reads the light shade only, so filled buttons would fail in dark (2.78:1). */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colours = defaultVariantColorsResolver(input)
  if (input.variant === 'subtle' && input.color === 'red') return { ...colours, color: 'var(--failed)' }
  // the one that is chosen has the ground of a chosen row: the library's own is darker than a row at rest in the dark
  if (input.variant === 'light' && input.color !== 'red')
    return { ...colours, background: 'var(--selected)', hover: 'var(--selected)', color: 'var(--text)' }
  if (input.variant !== 'filled') return colours
  if (input.color === 'red') return { ...colours, color: 'var(--danger-contrast)' }
  const isPrimary = !input.color || input.color === 'petrol'
  return isPrimary ? { ...colours, color: 'var(--mantine-primary-color-contrast)' } : colours
}

const compact = { defaultProps: { size: 'xs' } }

export const theme = createTheme({
  variantColorResolver,
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.2,
  colors: { petrol: ramp(petrol), red: ramp(red), gray: ramp(slate), dark: ramp(dark) },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  fontSizes: { xs: '11.5px', sm: '13px', md: '14px', lg: '16px', xl: '19px' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.4' },
  spacing: { xs: '6px', sm: '10px', md: '14px', lg: '18px', xl: '26px' },
  headings: {
    fontWeight: '620',
    sizes: { h1: { fontSize: '19px' }, h2: { fontSize: '15px' }, h3: { fontSize: '13px' } },
  },
  defaultRadius: 4,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: compact,
    TextInput: compact,
    PasswordInput: compact,
    NativeSelect: compact,
    Textarea: compact,
    NumberInput: compact,
    RadioGroup: compact,
    CheckboxGroup: compact,
    Checkbox: compact,
    MultiSelect: compact,
    TagsInput: compact,
    Select: { defaultProps: { size: 'xs', checkIconPosition: 'right' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true } },
    Popover: { defaultProps: { shadow: 'md' } },
    Menu: { defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false, transitionProps: { duration: 0 } } },
    Tabs: { defaultProps: { keepMounted: false } },
    // 11 px and less, as the library has them beside small fields, are hard to read
    InputWrapper: { styles: { error: { fontSize: '12px' }, description: { fontSize: '12px' } } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 100 } } },
  },
})

/** Our tokens, by colour scheme. Text on its surface keeps 4.5:1, field edges and icons 3:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page': '#eef1f5',
    '--surface': '#ffffff',
    '--surface-2': '#f6f8fa',
    '--line': '#d7dee6',
    '--line-strong': '#7c8a99',
    '--text': '#17202a',
    '--text-2': '#46525f',
    '--text-3': '#566371',
    '--selected': '#e3f1f7',
    '--accent': '#0b6585',
    '--hover': '#f1f5f8',
    '--chip': '#eef1f5',
    '--header': '#0d2a37',
    '--header-line': '#0d2a37',
    '--queued': '#1d56b8',
    '--queued-bg': '#e7effc',
    '--completed': '#17693c',
    '--completed-bg': '#e2f4e9',
    '--rejected': '#4c5866',
    '--rejected-bg': '#e8ecf0',
    '--danger-contrast': '#ffffff',
    '--failed': '#b3261e',
    '--failed-bg': '#fdeae8',
    '--priority': '#8a4b00',
    '--priority-bg': '#fdf0dc',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#17202a',
    '--mantine-color-dimmed': '#566371',
    '--mantine-color-placeholder': '#667483',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#7c8a99',
  },
  dark: {
    '--page': '#0e1217',
    '--surface': '#141920',
    '--surface-2': '#1a2028',
    '--line': '#2a333d',
    '--line-strong': '#6d7a88',
    '--text': '#e4e8ed',
    '--text-2': '#b4bdc7',
    '--text-3': '#98a3af',
    '--selected': '#12303c',
    '--accent': '#4ba6c4',
    '--hover': '#1a222b',
    '--chip': '#262e37',
    '--header': '#0a1015',
    '--header-line': '#2a333d',
    '--queued': '#8db4f7',
    '--queued-bg': '#16253f',
    '--completed': '#6fcf97',
    '--completed-bg': '#10291c',
    '--rejected': '#b4bdc7',
    '--rejected-bg': '#262e37',
    '--danger-contrast': '#2b0b09',
    '--failed': '#ff9c94',
    '--failed-bg': '#3a1816',
    '--priority': '#f2b95c',
    '--priority-bg': '#33240c',
    '--mantine-color-body': '#141920',
    '--mantine-color-text': '#e4e8ed',
    '--mantine-color-dimmed': '#98a3af',
    '--mantine-color-placeholder': '#8592a1',
    '--mantine-color-error': '#ff9c94',
    // the library's next step down leaves 4.15:1 below the pointer
    '--mantine-color-red-filled-hover': 'var(--mantine-color-red-3)',
    '--mantine-color-default-border': '#6d7a88',
  },
})
