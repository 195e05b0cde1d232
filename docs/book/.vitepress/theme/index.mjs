import Theme from "vitepress/theme-without-fonts";
import Predict from "./Predict.vue";
import "./style.css";

export default {
  extends: Theme,
  enhanceApp: ({ app }) => app.component("Predict", Predict),
};
