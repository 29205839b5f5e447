set output 'timeline.svg'
set terminal svg size 900,480 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid
set y2tics
set ytics nomirror
set yrange [0:*]
set y2range [0:*]
set ylabel 'certificates/s'
set y2label 'jobs in the queue of the HSM'
set title 'Issuance and the queue of the HSM over time'
set xlabel 's'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 50.662949, graph 0 to 50.662949, graph 1 nohead dt 3
set label 'one' at 50.662949, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 86.343561, graph 0 to 86.343561, graph 1 nohead dt 3
set label 'managed' at 86.343561, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 92.334448, graph 0 to 92.334448, graph 1 nohead dt 3
set label 'revoke' at 92.334448, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 107.191123, graph 0 to 107.191123, graph 1 nohead dt 3
set label 'revoke' at 107.191123, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 121.992033, graph 0 to 121.992033, graph 1 nohead dt 3
set label 'revoke' at 121.992033, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 218.648569, graph 0 to 218.648569, graph 1 nohead dt 3
set label 'unmanaged' at 218.648569, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 234.863747, graph 0 to 234.863747, graph 1 nohead dt 3
set label 'revoke' at 234.863747, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 245.336764, graph 0 to 245.336764, graph 1 nohead dt 3
set label 'revoke' at 245.336764, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 271.988299, graph 0 to 271.988299, graph 1 nohead dt 3
set label 'revoke' at 271.988299, graph 0.98 rotate by 90 right font ',9' noenhanced
plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s', '' using 1:3 axes x1y2 with lines title 'queue' noenhanced
