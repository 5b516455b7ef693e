import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Server that answers API calls while the dashboard is developed with `vite web`. */
const api = process.env.TOCSIN_URL ?? 'http://127.0.0.1:3300';

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    // No preload helper, no inlined assets: a strict content security policy needs neither exception nor nonce.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // What every page needs is one file that rarely changes; the pages and the chart come when they are opened.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?!uplot|react-number-format|@mantine\/core\/esm\/components\/(Select|TagsInput|NumberInput|Textarea|Combobox|Pill))/,
            },
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
