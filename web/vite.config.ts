import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The server that answers API calls during development with `vite web`. */
const api = process.env.TOCSIN_URL ?? 'http://127.0.0.1:3300';

/**
 * Puts a script into the head as a classic one, before everything else: modules run after the first paint, and the content
 * security policy forbids inline scripts. Like every asset, it has a hash in its name.
 */
function classicScript(path: string): Plugin {
  const name = basename(path, '.js');
  const source = readFileSync(join(import.meta.dirname, path));
  const fileName = `assets/${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: `classic-script-${name}`,
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: (_html, { server }) => [
      {
        tag: 'script',
        attrs: { src: `/app/${server === undefined ? fileName : path}` },
        injectTo: 'head-prepend',
      },
    ],
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [
    react(),
    classicScript('src/theme/color-scheme.js'),
    classicScript('src/shell/reload-unstarted.js'),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // No preload helper and no inlined assets: a strict content security policy then needs no exceptions and no nonces.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // The code of every page is one file that rarely changes; pages, form fields and charts are loaded on demand.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?!uplot|uqr|tldts|@simplewebauthn|croner|cronstrue|ipaddr|react-number-format|markdown-it|linkify-it|mdurl|uc\.micro|punycode|entities|@mantine\/core\/esm\/components\/(Select|MultiSelect|Autocomplete|TagsInput|NumberInput|Textarea|Combobox|Pill))/,
              priority: 2,
            },
            // What every page loads anyway: as some sixty small files it took a sixth more of the processor to load a page.
            { name: 'app', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '^/(?!app(/|$)|@)': { target: api, changeOrigin: false } },
  },
});
