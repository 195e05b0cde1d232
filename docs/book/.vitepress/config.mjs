import { defineConfig } from "vitepress";
import { navigation, sidebar } from "../build/contents.mjs";
import { BASE } from "../build/relocate.mjs";

export default defineConfig({
  title: "Swissroll",
  titleTemplate: ":title – Swissroll",
  description: "Manifold learning, with figures that compute.",
  srcDir: "pages",
  outDir: "built",
  // Replaced in the finished site by paths relative to each page.
  base: BASE,
  cleanUrls: false,
  lastUpdated: false,
  // Figures follow the browser, so the pages do, too.
  appearance: "force-auto",
  metaChunk: true,
  locales: { root: { label: "English", lang: "en" } },
  head: [
    ["link", { rel: "icon", href: "data:," }],
    ["script", { src: `${BASE}swissroll/figure.global.js`, defer: "" }],
  ],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "swissroll-figure" } } },
  markdown: { theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
  vite: { build: { chunkSizeWarningLimit: 2000 }, clearScreen: false },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: "local" },
  },
});
