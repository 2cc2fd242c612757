/** antd's theme out of tokens.css: antd computes with colours, so it needs their values and not their names. */
import { theme, type ThemeConfig } from 'antd';

const dark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

function value(style: CSSStyleDeclaration, name: string): string {
  return style.getPropertyValue(`--jq-${name}`).trim();
}

/** The theme for the colours that are in force now. */
export function portalTheme(): ThemeConfig {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => value(style, name);
  return {
    algorithm: dark().matches ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: of('accent'),
      colorPrimaryHover: of('accent-hover'),
      colorPrimaryActive: of('accent-hover'),
      colorPrimaryBg: of('accent-soft'),
      colorLink: of('accent'),
      colorTextLightSolid: of('text-on-accent'),
      colorError: of('danger'),
      colorErrorHover: of('danger'),
      colorErrorBg: of('danger-soft'),
      colorSuccess: of('ok'),
      colorWarning: of('warn'),
      colorBgContainer: of('surface'),
      colorBgElevated: of('raised'),
      colorBorder: of('border-strong'),
      colorBorderSecondary: of('border'),
      colorText: of('text'),
      colorTextSecondary: of('text-2'),
      colorTextDescription: of('text-2'),
      colorTextPlaceholder: of('text-3'),
      colorIcon: of('text-3'),
      colorBgMask: of('scrim'),
      fontFamily: of('font'),
      fontFamilyCode: of('mono'),
      fontSize: 14,
      borderRadius: 8,
      controlHeight: 36,
      controlHeightLG: 40,
      controlHeightSM: 32,
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    },
    components: { Modal: { titleFontSize: 18 }, Form: { itemMarginBottom: 20 } },
  };
}

/** Calls back when light turns dark or back; the answer ends it. */
export function onSchemeChange(listener: () => void): () => void {
  const query = dark();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
