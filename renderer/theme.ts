import { Button, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Mantine in the app's measures and colours; what it cannot say is in styles/. */

const accent: MantineColorsTuple = [
  '#eaf2fb',
  '#d3e3f6',
  '#a9c8ec',
  '#7cabe2',
  '#5591d8',
  '#2f76c9',
  '#1a5fb4',
  '#154d93',
  '#103c72',
  '#0b2a51',
]

const HOVER = 'color-mix(in srgb, var(--accent) 88%, var(--text))'

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 3 },
  defaultRadius: 6,
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '22px', xl: '26px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'compact-sm', variant: 'default', fw: 400 },
      // The accent is light in the dark theme: what is written on it changes with it.
      vars: (_theme, { variant, color }) => ({
        root:
          variant === 'filled' && color === undefined
            ? { '--button-bg': 'var(--accent)', '--button-color': 'var(--accent-text)', '--button-hover': HOVER }
            : {},
      }),
    }),
    InputWrapper: { defaultProps: { labelProps: { fw: 400 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    Modal: { defaultProps: { transitionProps: { duration: 0 }, overlayProps: { backgroundOpacity: 0.3 } } },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { transitionProps: { duration: 0 } } },
    Tooltip: { defaultProps: { transitionProps: { duration: 0 }, openDelay: 300 } },
  },
})
