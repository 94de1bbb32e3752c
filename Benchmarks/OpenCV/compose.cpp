// Picture-in-picture as a programmer would write it with OpenCV: reads raw frames in a loop, composes them, and keeps
// the result in memory.
//
// Usage: compose WORKLOAD bgr|planes i420|nv12|yuyv WIDTHxHEIGHT THREADS FRAMES FILE...
// THREADS: 0 lets OpenCV choose the number. With `planes`, files must be I420. Exit status: 0 success, 64 wrong usage,
// 66 a file cannot be read.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

using cv::Mat;
using cv::Rect;
using cv::Scalar;
using cv::Size;

namespace {

constexpr int margin = 24;

// A file of raw frames that is read in a loop.
struct Source {
    FILE *file;
    Mat frame;

    void next() {
        const size_t bytes = frame.total() * frame.elemSize();
        if (fread(frame.data, 1, bytes, file) == bytes) return;
        rewind(file);
        if (fread(frame.data, 1, bytes, file) != bytes) exit(66);
    }
};

// The planes of an I420 frame, which share the frame's memory.
std::vector<Mat> planes(Mat &frame, Size size) {
    const Size half(size.width / 2, size.height / 2);
    uchar *start = frame.data;
    return {Mat(size, CV_8U, start), Mat(half, CV_8U, start + size.area()),
            Mat(half, CV_8U, start + size.area() + half.area())};
}

// The weight of each pixel of the rotated inset, 0 to 0.8: corners rounded by 16 pixels, opacity 0.8.
Mat cornerMask(Size size) {
    Mat mask(size, CV_32F);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            const double across = std::abs(x + 0.5 - size.width / 2.0) - size.width / 2.0 + 16;
            const double down = std::abs(y + 0.5 - size.height / 2.0) - size.height / 2.0 + 16;
            const double outside = std::hypot(std::max(across, 0.0), std::max(down, 0.0));
            const double distance = outside + std::min(std::max(across, down), 0.0) - 16;
            mask.at<float>(y, x) = float(0.8 * std::min(std::max(0.5 - distance, 0.0), 1.0));
        }
    return mask;
}

// The factors of a vignette, with a byte for each channel.
Mat vignetteMask(Size size) {
    Mat mask(size, CV_8UC3);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            const double distance = std::hypot((x + 0.5) / size.width - 0.5, (y + 0.5) / size.height - 0.5);
            const double t = std::min(std::max((distance - 0.3) / 0.45, 0.0), 1.0);
            const double factor = 1 - 0.4 * t * t * (3 - 2 * t);
            mask.at<cv::Vec3b>(y, x) = cv::Vec3b::all(cv::saturate_cast<uchar>(factor * 255));
        }
    return mask;
}

using Color = cv::Matx34f;

// The composition of two colour matrices: a is applied first, then b.
Color after(const Color &a, const Color &b) {
    Color c;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            c(row, column) = column == 3 ? b(row, 3) : 0;
            for (int k = 0; k < 3; k++) c(row, column) += b(row, k) * a(k, column);
        }
    return c;
}

// Colour matrices for BGR values from 0 to 255.
Color scaled(float factor, float offset) {
    return {factor, 0, 0, offset, 0, factor, 0, offset, 0, 0, factor, offset};
}
Color brightness(float value) { return scaled(1, value * 255); }
Color contrast(float value) { return scaled(value, 127.5f * (1 - value)); }
Color saturation(float s) {
    const float weights[3] = {0.0722f, 0.7152f, 0.2126f};
    Color c = Color::zeros();
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++) c(row, k) = (1 - s) * weights[k] + (row == k ? s : 0);
    return c;
}
Color sepia(float amount) {
    const Color brown(0.131f, 0.534f, 0.272f, 0, 0.168f, 0.686f, 0.349f, 0, 0.189f, 0.769f, 0.393f, 0);
    return brown * amount + Color::eye() * (1 - amount);
}
Color hue(float degrees) {
    const float c = std::cos(degrees * float(CV_PI) / 180), s = std::sin(degrees * float(CV_PI) / 180);
    return {.072f + c * .928f + s * .072f,  .715f - c * .715f + s * .715f, .213f - c * .213f - s * .787f, 0,
            .072f - c * .072f - s * .283f, .715f + c * .285f + s * .140f, .213f - c * .213f + s * .143f, 0,
            .072f - c * .072f + s * .928f, .715f - c * .715f - s * .715f, .213f + c * .787f - s * .213f, 0};
}

Mat table(double (*curve)(double)) {
    Mat entries(1, 256, CV_8U);
    for (int i = 0; i < 256; i++) entries.at<uchar>(i) = cv::saturate_cast<uchar>(curve(i / 255.0) * 255);
    return entries;
}

// The effects of a workload on a BGR picture, with their tables and masks, which are made once.
struct Look {
    std::string workload;
    Mat mask, lookup, other;
    Color matrix = Color::eye();

    Look(const std::string &name, Size size) : workload(name) {
        const Color balance = after(after(brightness(0.05f), contrast(1.2f)), saturation(1.3f));
        if (name == "W2") matrix = after(balance, hue(10));
        if (name == "W2b") matrix = after(balance, sepia(1));
        if (name == "W2c") {
            lookup = table([](double v) { return v + (v * v * (3 - 2 * v) - v) * 0.533; });
            matrix = saturation(1.2f);
            matrix(0, 3) -= 0.05f * 255, matrix(2, 3) += 0.05f * 255;
        }
        if (name == "W5") {
            lookup = table([](double v) { return (std::pow(std::min(v * 1.149, 1.0), 1.1) - 0.5) * 1.1 + 0.5; });
            matrix = after(after(hue(10), saturation(1.2f)), sepia(0.3f));
        }
        if (name == "W2b" || name == "W2c" || name == "W5") mask = vignetteMask(size);
    }

    void draw(Mat &picture) {
        if (!lookup.empty()) cv::LUT(picture, lookup, picture);
        if (workload == "W5") vibrance(picture);
        cv::transform(picture, picture, matrix);
        if (!mask.empty()) cv::multiply(picture, mask, picture, 1 / 255.0);
    }

    // Raises the saturation in HSV, by the largest factor for dull colours, as scripts usually do.
    void vibrance(Mat &picture) {
        cv::cvtColor(picture, other, cv::COLOR_BGR2HSV);
        if (lookupOfSaturation.empty()) {
            lookupOfSaturation.create(1, 256, CV_8UC3);
            for (int i = 0; i < 256; i++)
                lookupOfSaturation.at<cv::Vec3b>(i) =
                    cv::Vec3b(uchar(i), cv::saturate_cast<uchar>(i * (1 + 0.3 * (1 - i / 255.0))), uchar(i));
        }
        cv::LUT(other, lookupOfSaturation, other);
        cv::cvtColor(other, picture, cv::COLOR_HSV2BGR);
    }
    Mat lookupOfSaturation;
};

// Reduces each channel to eleven levels, and draws black where the gradient of luma exceeds 0.2.
void toon(Mat &picture, Mat &luma, Mat &across, Mat &down) {
    static const Mat steps = table([](double v) { return std::round(v * 10) / 10; });
    cv::cvtColor(picture, luma, cv::COLOR_BGR2GRAY);
    cv::Sobel(luma, across, CV_16S, 1, 0);
    cv::Sobel(luma, down, CV_16S, 0, 1);
    cv::convertScaleAbs(across, across);
    cv::convertScaleAbs(down, down);
    cv::add(across, down, luma);
    cv::LUT(picture, steps, picture);
    picture.setTo(Scalar::all(0), luma > 51);
}

// The sampling positions of a swirled picture, in the fixed-point format with which `remap` is fastest.
struct Swirl {
    Mat places, fractions;

    explicit Swirl(Size size) {
        Mat map(size, CV_32FC2);
        const double reach = std::min(size.width, size.height) / 2.0;
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                const double dx = x + 0.5 - size.width / 2.0, dy = y + 0.5 - size.height / 2.0;
                const double share = std::max(1 - std::hypot(dx, dy) / reach, 0.0), angle = share * share * CV_PI;
                map.at<cv::Vec2f>(y, x) = {
                    float(size.width / 2.0 + dx * std::cos(angle) - dy * std::sin(angle) - 0.5),
                    float(size.height / 2.0 + dx * std::sin(angle) + dy * std::cos(angle) - 0.5)};
            }
        cv::convertMaps(map, Mat(), places, fractions, CV_16SC2);
    }
    void draw(const Mat &from, Mat &to) const {
        cv::remap(from, to, places, fractions, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    }
};

struct Composer {
    std::string workload;
    Size size, inset;
    Mat corners, canvas, small, turned, scratch, result, other;
    std::vector<Mat> pictures;
    std::vector<Look> looks;
    std::vector<Swirl> swirls;
    Mat colors;

    Composer(const std::string &name, Size full)
        : workload(name), size(full), inset(full.width / 4, full.height / 4), pictures(4) {
        looks = {Look(name, size), Look(name, inset)};
        corners = cornerMask(Size(inset.height, inset.width));
        // The main picture and the inset each need a map for luma and a map for chroma.
        if (name == "W9") swirls = {Swirl(size), Swirl(inset), Swirl(size / 2), Swirl(inset / 2)};
        // A curve and a matrix replace the 3D lookup table of W8.
        if (name == "W8") colors = table([](double v) { return std::pow(std::min(std::max((v - 0.5) * 1.1 + 0.5, 0.0), 1.0), 1.1); });
    }

    Rect place() const {
        const bool isTurned = workload == "W4";
        const Size shown = isTurned ? Size(inset.height, inset.width) : inset;
        return Rect(Point(size.width - shown.width - margin), shown);
    }
    static cv::Point Point(int left) { return {left, margin}; }

    bool hasColors() const { return workload == "W2" || workload == "W2b" || workload == "W2c" || workload == "W5"; }

    void blend(const Mat &picture, Mat target, const Mat &weight) {
        std::vector<Mat> channels(size_t(picture.channels()), weight);
        cv::merge(channels, other);
        picture.convertTo(scratch, CV_32F);
        target.convertTo(turned, CV_32F);
        scratch -= turned;
        cv::multiply(scratch, other, scratch);
        scratch += turned;
        scratch.convertTo(target, CV_8U);
    }

    // Composes in BGR: converts each input to BGR, and the result to I420.
    void bgr(std::vector<Source> &sources, const std::string &format) {
        const int code = format == "yuyv"  ? cv::COLOR_YUV2BGR_YUY2
                         : format == "nv12" ? cv::COLOR_YUV2BGR_NV12
                                            : cv::COLOR_YUV2BGR_I420;
        for (size_t i = 0; i < sources.size(); i++) cv::cvtColor(sources[i].frame, pictures[i], code);
        if (workload == "W8") {
            blendAll();
        } else if (workload == "W6") {
            canvas.create(size, CV_8UC3);
            for (int i = 0; i < 4; i++) cv::resize(pictures[size_t(i)], small = canvas(cell(i, size)), size / 2, 0, 0, cv::INTER_AREA);
        } else {
            canvas = pictures[0];
            cv::resize(pictures[1], small, inset, 0, 0, cv::INTER_AREA);
            if (hasColors()) looks[0].draw(canvas), looks[1].draw(small);
            if (workload == "W7") {
                toon(canvas, other, scratch, turned);
                cv::bilateralFilter(small, result, 9, 32, 3);
                std::swap(small, result);
            }
            if (workload == "W9") {
                swirls[0].draw(canvas, other);
                swirls[1].draw(small, result);
                std::swap(canvas, other);
                std::swap(small, result);
            }
            if (workload == "W3") {
                cv::GaussianBlur(canvas, canvas, Size(25, 25), 4);
                cv::cvtColor(small, other, cv::COLOR_BGR2GRAY);
                cv::cvtColor(edges(other), small, cv::COLOR_GRAY2BGR);
            }
            if (workload == "W4") {
                cv::rotate(small, result, cv::ROTATE_90_CLOCKWISE);
                blend(result, canvas(place()), corners);
            } else {
                small.copyTo(canvas(place()));
            }
        }
        cv::cvtColor(canvas, result, cv::COLOR_BGR2YUV_I420);
    }

    // Blends by multiply, screen and overlay in turn, then applies the curve and the matrix. Works on bytes, as scripts
    // usually do.
    void blendAll() {
        canvas = pictures[0];
        cv::multiply(canvas, pictures[1], canvas, 1 / 255.0);
        cv::bitwise_not(canvas, canvas);
        cv::bitwise_not(pictures[2], other);
        cv::multiply(canvas, other, canvas, 1 / 255.0);
        cv::bitwise_not(canvas, canvas);
        // Overlay: twice the product where the base is below the middle, else twice the product of the inverses,
        // inverted.
        cv::multiply(canvas, pictures[3], small, 2 / 255.0);
        cv::bitwise_not(canvas, other);
        cv::bitwise_not(pictures[3], scratch);
        cv::multiply(other, scratch, other, 2 / 255.0);
        cv::bitwise_not(other, other);
        cv::compare(canvas, Scalar::all(127.5), turned, cv::CMP_GT);
        other.copyTo(small, turned);
        cv::LUT(small, colors, small);
        cv::transform(small, canvas, saturation(1.2f));
    }

    // Composes in I420, plane by plane.
    void planar(std::vector<Source> &sources) {
        if (workload == "W6") {
            result.create(size.height * 3 / 2, size.width, CV_8U);
            std::vector<Mat> targets = planes(result, size);
            for (int i = 0; i < 4; i++) {
                std::vector<Mat> from = planes(sources[size_t(i)].frame, size);
                for (size_t p = 0; p < 3; p++) {
                    Mat target = targets[p](cell(i, targets[p].size()));
                    cv::resize(from[p], target, target.size(), 0, 0, cv::INTER_AREA);
                }
            }
            return;
        }
        std::vector<Mat> main = planes(sources[0].frame, size), from = planes(sources[1].frame, size), shown(3);
        for (size_t p = 0; p < 3; p++) cv::resize(from[p], shown[p], p == 0 ? inset : inset / 2, 0, 0, cv::INTER_AREA);
        if (workload == "W2") balance(main), balance(shown);
        if (workload == "W9")
            for (size_t p = 0; p < 3; p++) {
                const size_t part = p == 0 ? 0 : 2;
                swirls[part].draw(main[p], canvas);
                canvas.copyTo(main[p]);
                swirls[part + 1].draw(shown[p], result);
                result.copyTo(shown[p]);
            }
        if (workload == "W3") {
            for (size_t p = 0; p < 3; p++) {
                const double sigma = p == 0 ? 4 : 2;
                const int taps = p == 0 ? 25 : 13;
                cv::GaussianBlur(main[p], main[p], Size(taps, taps), sigma);
            }
            edges(shown[0]).copyTo(shown[0]);
            shown[1].setTo(128), shown[2].setTo(128);
        }
        for (size_t p = 0; p < 3; p++) {
            Rect target = place();
            if (p > 0) target = Rect(target.x / 2, target.y / 2, target.width / 2, target.height / 2);
            if (workload == "W4") {
                cv::rotate(shown[p], small, cv::ROTATE_90_CLOCKWISE);
                Mat weight = corners;
                if (p > 0) cv::resize(corners, weight, target.size(), 0, 0, cv::INTER_AREA);
                blend(small, main[p](target), weight);
            } else {
                shown[p].copyTo(main[p](target));
            }
        }
    }

    // Applies brightness, contrast, saturation and hue to Y, Cb and Cr directly.
    void balance(std::vector<Mat> &picture) {
        picture[0].convertTo(picture[0], CV_8U, 1.2, 0.05 * 219 * 1.2 - 0.2 * 126);
        const double scale = 1.2 * 1.3, angle = 10 * CV_PI / 180;
        const double c = scale * std::cos(angle), s = scale * std::sin(angle);
        cv::addWeighted(picture[1], c, picture[2], -s, 128 * (1 - c + s), small);
        cv::addWeighted(picture[2], c, picture[1], s, 128 * (1 - c - s), picture[2]);
        small.copyTo(picture[1]);
    }

    Mat edges(const Mat &luma) {
        cv::Sobel(luma, scratch, CV_16S, 1, 0);
        cv::Sobel(luma, turned, CV_16S, 0, 1);
        cv::convertScaleAbs(scratch, scratch);
        cv::convertScaleAbs(turned, turned);
        cv::addWeighted(scratch, 0.5, turned, 0.5, 0, result);
        return result;
    }

    static Rect cell(int index, Size whole) {
        const Size half = whole / 2;
        return Rect(cv::Point(index % 2 * half.width, index / 2 * half.height), half);
    }
};

}  // namespace

int main(int count, char **words) {
    int width = 0, height = 0;
    if (count < 8 || sscanf(words[4], "%dx%d", &width, &height) != 2) return 64;
    const std::string workload = words[1], style = words[2], format = words[3];
    if (atoi(words[5]) > 0) cv::setNumThreads(atoi(words[5]));
    std::vector<Source> sources;
    for (int i = 7; i < count; i++) {
        FILE *file = fopen(words[i], "rb");
        if (!file) return 66;
        setvbuf(file, nullptr, _IONBF, 0);
        sources.push_back({file, format == "yuyv" ? Mat(height, width, CV_8UC2) : Mat(height * 3 / 2, width, CV_8U)});
    }
    if (sources.size() < (workload == "W6" || workload == "W8" ? 4u : 2u)) return 64;
    Composer composer(workload, Size(width, height));
    for (int frame = 0; frame < atoi(words[6]); frame++) {
        for (Source &source : sources) source.next();
        if (style == "planes")
            composer.planar(sources);
        else
            composer.bgr(sources, format);
    }
    return 0;
}
