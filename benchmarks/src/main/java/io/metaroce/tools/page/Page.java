package io.metaroce.tools.page;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A page in one file: a template of {@code /page}, filled in, with style, scripts and the library that draws (uPlot)
 * inside, so that it opens anywhere and asks no network.
 */
public final class Page {
    private static final String LIBRARY = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

    private Page() {}

    /** Fills in a template, named without its ending. What the model gives is escaped unless the template says raw. */
    public static String of(String template, Map<String, Object> model) throws IOException {
        Map<String, Object> all = new HashMap<>(model);
        all.put("uplotScript", text(LIBRARY + "uPlot.iife.min.js"));
        all.put("uplotStyle", text(LIBRARY + "uPlot.min.css"));
        all.put("pageStyle", text("/page/page.css"));
        all.put("chartScript", text("/page/chart.js"));
        return Mustache.compiler()
                .compile(text("/page/" + template + ".mustache"))
                .execute(all);
    }

    private static String text(String resource) throws IOException {
        try (InputStream in = Page.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("missing resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
