// Mantine adapted to our scale; colours come from theme/tokens.css through theme/mantine.css.
import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  Modal,
} from '@mantine/core';

const ultramarine: MantineColorsTuple = [
  '#eef0fc',
  '#dcdff7',
  '#b7bdee',
  '#98a1ff',
  '#727cde',
  '#5661d2',
  '#3944bc',
  '#2d379f',
  '#232b80',
  '#191f60',
];

export const theme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--sans)', fontWeight: '600' },
  colors: { ultramarine },
  primaryColor: 'ultramarine',
  primaryShade: { light: 6, dark: 3 },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  components: {
    Button: Button.extend({ defaultProps: { size: 'sm', variant: 'filled' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray' } }),
    InputWrapper: Input.Wrapper.extend({
      // Descriptions below the field: fields side by side align whether they have one or not.
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    Modal: Modal.extend({ defaultProps: { centered: true, transitionProps: { duration: 120 } } }),
  },
});

const bound = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--failed)',
  '--mantine-color-disabled': 'var(--disabled)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-gray-light-color': 'var(--ink-2)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-light': 'var(--accent-soft)',
  '--mantine-primary-color-light-color': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-color-ultramarine-filled': 'var(--accent)',
  '--mantine-color-ultramarine-filled-hover': 'var(--accent-hover)',
};

/** Binds Mantine's colours to the palette of theme/tokens.css, in both schemes. */
export const bindColours: CSSVariablesResolver = () => ({ variables: {}, light: bound, dark: bound });
