// The rules of typescript-eslint, in their strict form with types, for the page and the package.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");

export default defineConfig(
  { ignores: ["**/node_modules/", "**/dist/", "page/.test-*/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: web } },
    rules: {
      // A text with a number is what most of the page's texts are.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => act()` is a handler that returns nothing, as `() => { act(); }` is.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // Settings are records by name, as addresses and requests have them.
      "@typescript-eslint/no-dynamic-delete": "off",
      // A name with an underscore takes a property out of an object.
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_+$" }],
    },
  },
  {
    files: ["*/test/**/*.ts"],
    rules: {
      // A value that is missing ends a test with an error, as it should.
      "@typescript-eslint/no-non-null-assertion": "off",
      // Node's runner waits for the tests that it is given.
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            { from: "package", name: ["test", "describe", "before", "after"], package: "node:test" },
          ],
        },
      ],
    },
  },
);
