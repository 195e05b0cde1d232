"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const column = head.cellIndex, rising = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const key = row => row.cells[column] && row.cells[column].dataset.value;
    const rows = [...body.rows].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
      const order = column === 0 ? x.localeCompare(y) : x - y;
      return rising ? order : -order;
    });
    body.append(...rows);
  });
}
const dialog = document.querySelector("dialog");
if (dialog && dialog.showModal) {
  let shown = null;
  // The legend of the figure, of its group, or of the data set.
  const legend = plot => {
    if (!("colored" in plot.dataset)) return null;
    for (const around of ["figure", ".trusted", "details", "section"]) {
      const found = plot.closest(around)?.querySelector(".legend");
      if (found) return found.cloneNode(true);
    }
    return null;
  };
  const show = plot => {
    shown = plot;
    dialog.querySelector("aside").replaceChildren(...[legend(plot)].filter(Boolean));
    dialog.querySelector("div").replaceChildren(plot.querySelector("svg").cloneNode(true));
    dialog.querySelector("span").textContent = plot.dataset.caption;
    if (!dialog.open) dialog.showModal();
  };
  const step = by => {
    const plots = [...document.querySelectorAll(".plot")].filter(plot => plot.offsetParent);
    const next = plots[plots.indexOf(shown) + by];
    if (next) { show(next); next.scrollIntoView({ block: "nearest" }); }
  };
  for (const plot of document.querySelectorAll(".plot")) plot.addEventListener("click", () => show(plot));
  dialog.querySelector("[data-step='-1']").addEventListener("click", () => step(-1));
  dialog.querySelector("[data-step='1']").addEventListener("click", () => step(1));
  dialog.addEventListener("click", event => { if (event.target === dialog || event.target.closest("div")) dialog.close(); });
  dialog.addEventListener("close", () => shown && shown.focus());
  dialog.addEventListener("keydown", event => {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
}
const lab = document.getElementById("lab");
const openLab = () => {
  if (!location.hash.startsWith("#data=")) return;
  const page = JSON.parse(lab.textContent);
  document.open();
  document.write(page);
  document.close();
};
if (lab) {
  addEventListener("hashchange", openLab);
  // While the page is being read, it cannot be replaced.
  addEventListener("DOMContentLoaded", openLab);
}
