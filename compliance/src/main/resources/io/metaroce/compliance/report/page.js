const filter = document.getElementById("filter");
filter.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/);
  for (const row of document.querySelectorAll(".row")) {
    const text = (row.className + " " + (row.querySelector("summary") || row).textContent).toLowerCase();
    row.classList.toggle("hidden", !words.every((word) => text.includes(word)));
  }
});
for (const link of document.querySelectorAll('a[href^="#"]')) {
  link.addEventListener("click", () => {
    const target = document.getElementById(link.getAttribute("href").slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
  });
}
