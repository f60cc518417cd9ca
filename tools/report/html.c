/* See html.h. */
#include "tools/report/html.h"

#include "engine/base/utf8.h"
#include "tools/cli/elo_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

void html_text(FILE *out, const char *text) {
    for (size_t bytes; *text; text += bytes > 0 ? bytes : 1) {
        bytes = text_character(text, strnlen(text, 4));
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default:
            if ((unsigned char)*text < 0x20 || *text == 0x7f)
                fputc(' ', out);
            else
                fwrite(text, 1, bytes, out);
        }
    }
}

void html_element(FILE *out, const char *tag, const char *style, const char *text) {
    fprintf(out, "<%s", tag);
    if (style)
        fprintf(out, " class=\"%s\"", style);
    fputc('>', out);
    html_text(out, text);
    fprintf(out, "</%s>", tag);
}

void html_format(FILE *out, const char *tag, const char *style, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    html_element(out, tag, style, text);
}

/* Base64, RFC 4648. */
static void write_base64(FILE *out, const char *text) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *at = (const unsigned char *)text;
    for (size_t left = strlen(text); left > 0; left -= left < 3 ? left : 3, at += 3) {
        const unsigned bits = (unsigned)at[0] << 16 | (left > 1 ? at[1] : 0u) << 8 | (left > 2 ? at[2] : 0u);
        for (int i = 0; i < 4; i++)
            fputc(i <= (left < 3 ? (int)left : 3) ? letters[bits >> (18 - 6 * i) & 63] : '=', out);
    }
}

void html_download(FILE *out, const char *name, const char *type, const char *text) {
    fputs("<a download=\"", out);
    html_text(out, name);
    fprintf(out, "\" href=\"data:%s;base64,", type);
    write_base64(out, text);
    fputs("\">", out);
    html_text(out, name);
    fputs("</a>", out);
}

void html_table(FILE *out, const char *caption, const char *names) {
    fputs("<div class=\"scroll\"><table>", out);
    html_element(out, "caption", NULL, caption);
    fputs("<thead><tr>", out);
    for (const char *name = names, *end; name; name = *end ? end + 1 : NULL) {
        const bool text = *name == '~';
        end = name + strcspn(name, "|");
        fprintf(out, text ? "<th scope=\"col\" class=\"text\">" : "<th scope=\"col\">");
        fwrite(name + text, 1, (size_t)(end - name) - text, out);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out) {
    fputs("</tbody></table></div>\n", out);
}

void html_count(FILE *out, double count) {
    static const char *const names[] = {"", " thousand", " million", " billion", " trillion"};
    int thousands = 0;
    for (; count >= 1e4 && thousands < 4; thousands++)
        count /= 1e3;
    fprintf(out, "%.*f%s", thousands && count < 100 ? 1 : 0, count, names[thousands]);
}

void html_duplicates(FILE *out, double share) {
    if (share > 0)
        fprintf(out, ", %.*f%% of them repeat others", share < 0.01 ? 1 : 0, 100 * share);
}

double html_tenth(double value) {
    return rint(10 * value) / 10 + 0.0; /* -0.0 + 0.0 is 0.0 */
}

double html_whole(double value) {
    return rint(value) + 0.0;
}

void html_rating(FILE *out, ReportRating rating) {
    char estimate[ELO_TEXT_MAX], interval[ELO_TEXT_MAX];
    elo_text(rating.estimate, estimate);
    elo_text_interval(rating.ci95, interval);
    if (rating.known && rating.ci95.low == rating.ci95.high)
        fprintf(out, "<td>%.0f</td>", html_whole(rating.estimate));
    else if (rating.known)
        fprintf(out, "<td>%s <small>[%s]</small></td>", estimate, interval);
    else
        fputs("<td></td>", out);
}

void html_fair_komi(FILE *out, KomiEstimate known) {
    if (known.bracket)
        fprintf(out, "<td>(%g, %g)</td>", known.ci95.low, known.ci95.high);
    else
        fprintf(out, "<td>%.1f <small>[%.1f, %.1f]</small></td>", html_tenth(known.estimate),
                html_tenth(known.ci95.low), html_tenth(known.ci95.high));
}

void html_fair_komi_text(char text[HTML_KOMI_TEXT], KomiEstimate known) {
    if (known.bracket)
        snprintf(text, HTML_KOMI_TEXT, "(%g, %g)", known.ci95.low, known.ci95.high);
    else
        snprintf(text, HTML_KOMI_TEXT, "%.1f (%.1f to %.1f)", html_tenth(known.estimate), html_tenth(known.ci95.low),
                 html_tenth(known.ci95.high));
}

void html_fair_komi_bold(FILE *out, KomiEstimate known) {
    if (known.bracket)
        fprintf(out, "<b>(%g, %g)</b>", known.ci95.low, known.ci95.high);
    else
        fprintf(out, "<b>%.1f</b>", html_tenth(known.estimate));
}

void html_fair_komi_range(FILE *out, KomiEstimate known) {
    if (!known.bracket)
        fprintf(out, " (%.1f to %.1f)", html_tenth(known.ci95.low), html_tenth(known.ci95.high));
}

void html_perfect_play(FILE *out, const double exact[2], bool misleading) {
    fprintf(out, "<p><b>%+g</b> is perfect play worth to Black, %+g with the button, as the solver has proved%s</p>\n",
            exact[0], exact[1],
            misleading ? "; so these games are misleading: an interval does not contain its proved value" : "");
}

void html_cells(FILE *out, const cJSON *moves) {
    const cJSON *move = moves->child;
    const bool on_board = move && move->valuestring[0] && isdigit((unsigned char)move->valuestring[1]); /* "b2" */
    if (on_board)
        fprintf(out, "<td>%d</td>", cJSON_GetArraySize(moves));
    else
        fputs("<td></td>", out);
}

void html_rate(FILE *out, double rate, Interval interval) {
    fprintf(out, "<td>%.0f%% <small>[%.0f, %.0f]</small></td>", 100 * rate, 100 * interval.low, 100 * interval.high);
}
